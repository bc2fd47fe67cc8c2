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

#include <algorithm>
#include <numeric>
#include <vector>

#include "algebra/pivoted_cholesky.h"
#include "kernel/mixture_kernel.h"
#include "linear/newton.h"
#include "linear/path_scale.h"
#include "linear/report.h"
#include "linear/ssnal.h"
#include "rows/dense.h"
#include "rows/distinct_rows.h"
#include "run/sampler.h"

namespace dualmargin::kernel {

// m of the distinct rows, drawn without replacement; all, where there are fewer.
inline std::vector<Index> draw_landmarks(const DistinctRows& distinct, Index m, Sampler& sampler) {
  std::vector<Index> rows = distinct.some(distinct.size()).row;
  sampler.shuffle(rows);
  rows.resize(std::min<std::size_t>(rows.size(), m));
  return rows;
}

class NystromFeatures {
 public:
  NystromFeatures(const Arguments& arguments, const MixedRows& rows, const KernelFunction& kernel,
                  const std::vector<Index>& drawn, Tick& tick)
      : n_(rows.n()), drawn_(static_cast<Index>(drawn.size())), values_(n_ * drawn_) {
    const bool filled = fill(*mixture_kernel(arguments, rows, kernel), drawn, tick);
    if (!filled || !factorise(drawn, tick) || !whiten(arguments.team, tick)) give_up();
  }

  Dense data(double bias) const { return Dense(values_.data(), n_, rank(), bias); }
  Index rank() const { return static_cast<Index>(landmarks_.size()); }
  bool complete() const { return complete_; }
  Index drawn() const { return drawn_; }
  double bytes() const { return sizeof(double) * static_cast<double>(values_.size()); }

  // gamma, at the places of the landmarks among all rows.
  Vec coefficients(const Vec& w) const {
    const Vec gamma = lower_.transpose().triangularView<Eigen::Upper>().solve(w);
    Vec all = Vec::Zero(n_);
    for (Index k = 0; k < rank(); ++k) all[landmarks_[k]] = gamma[k];
    return all;
  }

 private:
  static constexpr Index width = 64;

  Eigen::Map<Vec> row(Index i, Index length) { return {values_.data() + i * length, length}; }

  // False, here and below: the time is over.
  bool factorise(const std::vector<Index>& drawn, Tick& tick) {
    Mat K(drawn_, drawn_);
    for (Index k = 0; k < drawn_; ++k) K.col(k) = row(drawn[k], drawn_);
    K = (0.5 * (K + K.transpose())).eval();
    const Vec size = Vec::Constant(drawn_, K.diagonal().maxCoeff());
    const PivotedCholesky factor(
        K.diagonal(), size, 1e-10, drawn_, [&](Index i) { return Vec(K.col(i)); }, tick);
    const Index rank = factor.rank();
    lower_ = Mat::Zero(rank, rank);
    for (Index k = 0; k < rank; ++k) {
      lower_.row(k).head(k + 1) = factor.factor.col(factor.pivots[k]).head(k + 1).transpose();
    }
    for (const Index k : factor.pivots) landmarks_.push_back(drawn[k]);
    keep(factor.pivots);
    return tick.in_time();
  }
  void give_up() {
    complete_ = false;
    landmarks_.clear();
    values_.clear();
    lower_.resize(0, 0);
  }

  // K_nm, row after row.
  bool fill(const KernelMatrix& kernel, const std::vector<Index>& drawn, Tick& tick) {
    Eigen::Map<Mat> transposed(values_.data(), drawn_, n_);
    for (Index first = 0; first < drawn_; first += width) {
      const Index count = std::min(width, drawn_ - first);
      Mat panel = Mat::Zero(n_, count);
      kernel.block(drawn.data() + first, count)->add(Mat::Identity(count, count), panel);
      transposed.middleRows(first, count) = panel.transpose();
      if (!tick.poll()) return false;
    }
    return true;
  }
  // Of each row the entries of the landmarks that stay.
  void keep(const std::vector<Index>& pivots) {
    Vec kept(rank());
    for (Index i = 0; i < n_; ++i) {
      const Eigen::Map<Vec> all = row(i, drawn_);
      for (Index k = 0; k < rank(); ++k) kept[k] = all[pivots[k]];
      row(i, rank()) = kept;
    }
    values_.resize(n_ * rank());
    values_.shrink_to_fit();
  }
  // Rows of K_nm become rows of K_nm L^{-T}.
  bool whiten(Team& team, Tick& tick) {
    const auto panel = [&](Index p, Tick& t) {
      if (!t.poll()) return;
      Eigen::Map<Mat> transposed(values_.data(), rank(), n_);
      auto some = transposed.middleCols(p * width, std::min(width, n_ - p * width));
      lower_.triangularView<Eigen::Lower>().solveInPlace(some);
    };
    team.for_chunks((n_ + width - 1) / width, panel, tick);
    return tick.in_time();
  }

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

inline double first_lambda(const NystromProblem& p) { return linear::mean_curvature(p.linear); }

// A start that is a dual point alone, perhaps of the full kernel, has the weights that belong to
// it.
inline linear::Solution solve_nystrom(const NystromProblem& problem, linear::Solution start,
                                      Sampler& sampler, Run& run) {
  const linear::LinearProblem& p = problem.linear;
  const bool smooth = p.losses.smooth();
  if (!problem.features.complete()) {
    linear::Solution zero;
    zero.w = Vec::Zero(p.dim());
    zero.a = RowVec::Zero(p.n());
    zero.solver = smooth ? "newton" : "ssnal";
    run.tick().cut_short();
    run.proceed([&] { return p.certify(zero, run); }, 0);
    return zero;
  }
  const bool warm = start.a.size() == p.n();
  if (warm && start.w.size() == 0) start.w = p.dual_sum(start.a, run) / -p.penalty.l2;
  if (smooth) return linear::newton(p, linear::NewtonOptions(), start, sampler, run);
  linear::SsnalOptions options;
  if (warm) options.gamma = 0.1;
  return linear::ssnal(p, options, start, sampler, run);
}

struct NystromReport : linear::Report {
  Vec beta;
  double intercept = 0, near = 0, level = 0;
  Index landmarks = 0;
};

inline NystromReport report(const NystromProblem& problem, linear::Solution s, Run& run) {
  NystromReport r;
  static_cast<linear::Report&>(r) = linear::report(problem.linear, std::move(s), run);
  const Vec& w = r.solution.w;
  const Index rank = problem.features.rank();
  r.beta = problem.features.coefficients(w.head(rank));
  r.intercept = w.size() > rank ? w[rank] : r.solution.b;
  r.landmarks = problem.features.drawn();
  return r;
}

}  // namespace dualmargin::kernel
