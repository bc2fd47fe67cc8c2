// What the stochastic methods of the augmented family have in common: which rows they visit, how
// the rows look there, and when their steps fall.
#pragma once

#include <algorithm>
#include <vector>

#include "augmented/perturbed_rows.h"
#include "augmented/solvers.h"

namespace dualmargin::augmented {

// Steps of one length, and then of 2 / (mu (gamma + t)), gamma = 2 / (mu eta), but never longer
// than the one before. From there on the t-th point counts gamma + t in the average.
struct FallingStep {
  double mu, eta, gamma = 2 / (mu * eta), t = 0;

  void fall() { eta = std::min(eta, 2 / (mu * (gamma + ++t))); }
  double weight() const { return gamma + t; }
};

// n draws an epoch: all rows in a random order, or with replacement, uniform or row i with
// probability
//
//   q_i = 1/(2n) + L_i / (2 sum_k L_k)
//
// (Bietti and Mairal, (21)), which is worth its cost where the L_i are uneven.
class Draws {
 public:
  Draws(const ExpectedErm& problem, const AugmentedOptions& options, Sampler& sampler, Tick& tick);

  // 1 / (q_i n)
  double correction(Index i) const { return nonuniform_ ? ratio_[i] : 1; }
  double smallest_nq() const { return nonuniform_ ? smallest_ : 1; }
  // max_i L_i / (q_i n), within a factor of two
  double smoothness() const { return nonuniform_ ? mean_ : largest_; }

  // f(i, values) n times
  void epoch(PerturbedRows::Show f);

 private:
  Index draw(Index k);

  static constexpr Index seeds = Index{1} << 53;

  // Where nothing is known of the length of a perturbed row: that of its longest visit of a few.
  void measure(const ExpectedErm& problem, RowVec& L);

  PerturbedRows rows_;
  Index chunk_, n_;
  bool nonuniform_ = false;
  double largest_ = 0, mean_ = 0, smallest_ = HUGE_VAL;
  std::vector<Index> order_;
  RowVec ratio_;
  std::vector<double> totals_;
  std::vector<std::uint32_t> visited_;
  std::vector<Visit> visits_;
  Sampler& sampler_;
  Tick& tick_;
};

}  // namespace dualmargin::augmented
