// The methods of the hard family. Each is described where it is defined, in the file of its name.
#pragma once

#include "hard/cost_model.h"
#include "hard/hard_margin.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::hard {

struct ActiveSetOptions {
  Index batch = CostModel::batch, most = CostModel::most_support;
};

// q: in the simplex, to begin with; empty: one row of each side.
Solution active_set(const HardMargin& problem, const ActiveSetOptions& options, const Vec& q,
                    Run& run);

struct AdaptiveOptions {
  bool momentum = true;
  double epochs = 1000;  // of work: what T is made of
};

Solution adaptive(const HardMargin& problem, const AdaptiveOptions& options, Sampler& sampler,
                  Run& run);

struct AutoOptions {
  ActiveSetOptions exact;
  double cache_bytes = 0;
  bool warm = true;  // false: with the active set from the beginning
};

Solution automatic(const HardMargin& problem, const AutoOptions& options, Sampler& sampler,
                   Run& run);

struct DualDescentOptions {
  bool shrinking = true;
  double constant = 0;  // of a coordinate that the rows get in addition, s_e of it each
};

// a: to begin with, or empty.
Solution dual_descent(const HardMargin& problem, const DualDescentOptions& options, Vec a,
                      Sampler& sampler, Run& run);

Solution gradient_descent(const HardMargin& problem, bool normalised, Run& run);

Solution momentum(const HardMargin& problem, bool logistic, Run& run);

Solution perceptron(const HardMargin& problem, Run& run);

// q: to begin with, or empty.
Solution smo(const HardMargin& problem, double cache_bytes, Vec q, Run& run);

// The state of Algorithm 1 of momentum.cpp, of which the tests ask, too.

// w_t = A'c and q_t after t steps; g is g_{t-1} = A'cg, and mu is mu_t.
struct MomentumState {
  Vec w, g, c, cg, q, mu, p;
  double t = 0;

  explicit MomentumState(const MarginRows& rows);

  void step(const MarginRows& rows, bool logistic, Tick& tick);
};

}  // namespace dualmargin::hard
