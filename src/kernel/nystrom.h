// The kernel replaced by its projection onto m landmark rows, as features of a linear problem.
// C. K. I. Williams and M. Seeger (2001), Using the Nystroem method to speed up kernel machines,
// Advances in Neural Information Processing Systems 13, 682-688.
//
//   K ~ K_{nm} K_{mm}^{-1} K_{mn} = \Phi \Phi',   \Phi = K_{nm} L^{-\top},   K_{mm} = L L'
//
//   min_{w, b}  \frac\lambda2 |w|^2 + \frac1W \sum_i \omega_i \phi(\Phi_i w + b; y_i)
//
// is the problem of kernel_problem.h over the functions \sum_j \gamma_j k(x_j, \cdot) of the
// landmarks alone, \gamma = L^{-\top} w. The certificate is that of the linear problem. All that is
// kept is \Phi, n x m.
//
// Landmarks that depend linearly on others, up to 1e-10 of the largest k(x, x), add nothing to the
// span and are left out; a pivoted factorisation finds them.
//
// Where the time is over before the features are made there are none, and the zero function is what
// is returned, with the bound of the dual point zero, which holds whatever the landmarks.
#pragma once

#include <vector>

#include "kernel/arguments.h"
#include "kernel/kernel_function.h"
#include "linear/problem.h"
#include "rows/dense.h"
#include "rows/distinct_rows.h"
#include "rows/gram.h"
#include "run/sampler.h"

namespace dualmargin::kernel {

// m of the distinct rows, drawn without replacement; all, where there are fewer.
std::vector<Index> draw_landmarks(const DistinctRows& distinct, Index m, Sampler& sampler);

class NystromFeatures {
 public:
  NystromFeatures(const Arguments& arguments, const MixedRows& rows, const KernelFunction& kernel,
                  const std::vector<Index>& drawn, Tick& tick);

  Dense data(double bias) const { return Dense(values_.data(), n_, rank(), bias); }
  Index rank() const { return static_cast<Index>(landmarks_.size()); }
  bool complete() const { return complete_; }
  Index drawn() const { return drawn_; }
  double bytes() const { return sizeof(double) * static_cast<double>(values_.size()); }

  // gamma, at the places of the landmarks among all rows.
  Vec coefficients(const Vec& w) const;

 private:
  static constexpr Index width = 64;

  Eigen::Map<Vec> row(Index i, Index length) { return {values_.data() + i * length, length}; }

  // False, here and below: the time is over.
  bool factorise(const std::vector<Index>& drawn, Tick& tick);
  void give_up();

  // K_nm, row after row.
  bool fill(const KernelMatrix& kernel, const std::vector<Index>& drawn, Tick& tick);
  // Of each row the entries of the landmarks that stay.
  void keep(const std::vector<Index>& pivots);
  // Rows of K_nm become rows of K_nm L^{-T}.
  bool whiten(Team& team, Tick& tick);

  Index n_, drawn_;
  std::vector<double> values_;
  std::vector<Index> landmarks_;
  Mat lower_;
  bool complete_ = true;
};

// The linear problem in the features.
struct NystromProblem {
  linear::LinearProblem linear;
  const NystromFeatures& features;

  double null_value() const { return linear.null_value(); }
};

double first_lambda(const NystromProblem& p);

// A start that is a dual point alone, perhaps of the full kernel, has the weights that belong to
// it.
linear::Solution solve_nystrom(const NystromProblem& problem, linear::Solution start,
                               Sampler& sampler, Run& run);

struct NystromReport : linear::Report {
  Vec beta;
  double intercept = 0, near = 0, level = 0;
  Index landmarks = 0;
};

NystromReport report(const NystromProblem& problem, linear::Solution s, Run& run);

}  // namespace dualmargin::kernel
