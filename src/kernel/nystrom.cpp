#include "kernel/nystrom.h"

#include <algorithm>
#include <utility>

#include "algebra/cholesky.h"
#include "kernel/kernel_store.h"
#include "linear/path_scale.h"
#include "linear/solvers.h"

namespace dualmargin::kernel {

std::vector<Index> draw_landmarks(const DistinctRows& distinct, Index m, Sampler& sampler) {
  std::vector<Index> rows = distinct.some(distinct.size()).row;
  sampler.shuffle(rows);
  rows.resize(std::min<std::size_t>(rows.size(), m));
  return rows;
}

NystromFeatures::NystromFeatures(const Arguments& arguments, const MixedRows& rows,
                                 const KernelFunction& kernel, const std::vector<Index>& drawn,
                                 Tick& tick)
    : n_(rows.n()), drawn_(static_cast<Index>(drawn.size())), values_(n_ * drawn_) {
  const bool filled = fill(*mixture_kernel(arguments, rows, kernel), drawn, tick);
  if (!filled || !factorise(drawn, tick) || !whiten(arguments.team, tick)) give_up();
}

Vec NystromFeatures::coefficients(const Vec& w) const {
  const Vec gamma = lower_.transpose().triangularView<Eigen::Upper>().solve(w);
  Vec all = Vec::Zero(n_);
  for (Index k = 0; k < rank(); ++k) all[landmarks_[k]] = gamma[k];
  return all;
}

bool NystromFeatures::factorise(const std::vector<Index>& drawn, Tick& tick) {
  Mat K(drawn_, drawn_);
  for (Index k = 0; k < drawn_; ++k) K.col(k) = row(drawn[k], drawn_);
  K = (0.5 * (K + K.transpose())).eval();
  const Vec size = Vec::Constant(drawn_, K.diagonal().maxCoeff());
  constexpr double dependent = 1e-10;  // a landmark of which no more is left is left out
  const PivotedCholesky factor(
      K.diagonal(), size, dependent, drawn_, [&](Index i) { return Vec(K.col(i)); }, tick);
  const Index rank = factor.rank();
  lower_ = Mat::Zero(rank, rank);
  for (Index k = 0; k < rank; ++k) {
    lower_.row(k).head(k + 1) = factor.factor.col(factor.pivots[k]).head(k + 1).transpose();
  }
  for (const Index k : factor.pivots) landmarks_.push_back(drawn[k]);
  keep(factor.pivots);
  return tick.in_time();
}

void NystromFeatures::give_up() {
  complete_ = false;
  landmarks_.clear();
  values_.clear();
  lower_.resize(0, 0);
}

bool NystromFeatures::fill(const KernelMatrix& kernel, const std::vector<Index>& drawn,
                           Tick& tick) {
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

void NystromFeatures::keep(const std::vector<Index>& pivots) {
  Vec kept(rank());
  for (Index i = 0; i < n_; ++i) {
    const Eigen::Map<Vec> all = row(i, drawn_);
    for (Index k = 0; k < rank(); ++k) kept[k] = all[pivots[k]];
    row(i, rank()) = kept;
  }
  values_.resize(n_ * rank());
  values_.shrink_to_fit();
}

bool NystromFeatures::whiten(Team& team, Tick& tick) {
  const auto panel = [&](Index p, Tick& t) {
    if (!t.poll()) return;
    Eigen::Map<Mat> transposed(values_.data(), rank(), n_);
    auto some = transposed.middleCols(p * width, std::min(width, n_ - p * width));
    lower_.triangularView<Eigen::Lower>().solveInPlace(some);
  };
  team.for_chunks((n_ + width - 1) / width, panel, tick);
  return tick.in_time();
}

double first_lambda(const NystromProblem& p) { return linear::mean_curvature(p.linear); }

linear::Solution solve_nystrom(const NystromProblem& problem, linear::Solution start,
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

NystromReport report(const NystromProblem& problem, linear::Solution s, Run& run) {
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
