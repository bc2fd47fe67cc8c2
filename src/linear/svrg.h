// Proximal stochastic variance-reduced gradient.
#pragma once

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

struct SvrgOptions {
  bool permute = false;
  double step = 0.1, inner_passes = 2;
};

Solution svrg(const LinearProblem&, const SvrgOptions&, const Solution& start, Sampler&, Run&);

}  // namespace dualmargin::linear
