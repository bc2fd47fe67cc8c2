#include "region/function_ellipsoid.h"

#include <algorithm>

#include "region/of_kernel.h"

namespace dualmargin::region {

FunctionFactor::FunctionFactor(const FunctionProblem& problem, const RowVec& h, double wander,
                               Tick& tick)
    : free_(problem.free()), mu_(problem.g.l2) {
  const Index n = problem.n();
  const FunctionSizes& sizes = problem.rows.sizes();
  double trace = 0, error = 0;
  for (Index i = 0; i < n; ++i) {
    error = std::max(error, sizes.error[i]);
    if (!(h[i] > 0)) continue;
    used_.push_back(i);
    trace += h[i] * sizes.scale[i] * sizes.scale[i];
  }
  const auto m = static_cast<Index>(used_.size());
  const Mat& values = problem.rows.gram();
  d_ = Vec(m);
  for (Index k = 0; k < m; ++k) d_[k] = std::sqrt(h[used_[k]]);
  if (m > 0) {
    Mat M(m, m);
    for (Index l = 0; l < m; ++l) {
      for (Index k = 0; k < m; ++k) M(k, l) = d_[k] * values(used_[k], used_[l]) * d_[l];
    }
    M.diagonal().array() += mu_;
    solvable_ = factor_.factor(std::move(M), tick);
  } else {
    solvable_ = !free_;
  }
  // of the factor in units of its least eigenvalue, mu, of the kernel values and of h
  const double size = static_cast<double>(n);
  rounding_ = 8 * (size + 4) * rounding::unit * (size * mu_ + trace) / mu_ +
              8 * rounding::unit * (2 * error + 8) * (trace / mu_ + 1) + 8 * wander;
  if (!free_ || !solvable_) return;
  one_ = white(Vec::Ones(m));
  mass_ = one_.squaredNorm();
  solvable_ = mass_ > 0;
}

Mat FunctionFactor::white(const Mat& p) const {
  const auto m = static_cast<Index>(used_.size());
  Mat out(m, p.cols());
  const bool whole = p.rows() != m;
  for (Index c = 0; c < p.cols(); ++c) {
    for (Index k = 0; k < m; ++k) out(k, c) = d_[k] * p(whole ? used_[k] : k, c);
  }
  if (m > 0) factor_.solve_lower(out);
  return out;
}

Square FunctionFactor::square(double size, const Vec& whitened, double s) const {
  double last = 0;
  if (free_) {
    const double off = s - one_.dot(whitened);
    last = off * off / mass_;
  }
  return {(size - whitened.squaredNorm() + last) / mu_, lost(size, last)};
}

Mat FunctionFactor::products(const Mat& inner, const Mat& values, double& loss) const {
  const Mat w = white(values);
  Mat found = inner - w.transpose() * w;
  Vec last = Vec::Zero(inner.rows());
  if (free_) {
    const Vec off = Vec::Ones(last.size()) - w.transpose() * one_;
    found += off * off.transpose() / mass_;
    last = off.cwiseAbs2() / mass_;
  }
  loss = static_cast<double>(last.size()) * lost(inner.trace(), last.sum());
  return found / mu_;
}

Vec FunctionFactor::inverse(const Vec& v) const {
  Vec out = v / mu_, some(static_cast<Index>(used_.size()));
  if (used_.empty()) return out;
  for (Index k = 0; k < some.size(); ++k) some[k] = v[used_[k]];
  some = factor_.solve(some);
  for (Index k = 0; k < some.size(); ++k) out[used_[k]] = some[k];
  return out;
}

std::pair<Vec, double> FunctionFactor::solve(const Function& v, double t) const {
  Vec y = white(v.values);
  double s = 0;
  if (free_) {
    s = (t - one_.dot(y)) / (mu_ * mass_);
    y += mu_ * s * one_;
  }
  return {(v.coef - unwhitened(std::move(y), v.coef.size()).col(0)) / mu_, s};
}

Mat FunctionFactor::unwhitened(Mat y, Index n) const {
  Mat coef = Mat::Zero(n, y.cols());
  if (used_.empty()) return coef;
  factor_.solve_upper(y);
  for (Index k = 0; k < y.rows(); ++k) coef.row(used_[k]) = d_[k] * y.row(k);
  return coef;
}

FunctionFactor factored_hessian(const FunctionProblem& problem, const RowVec& h, Tick& tick,
                                double wander) {
  if (problem.n() > largest_hessian) return {};
  return {problem, h, wander, tick};
}

RowVec inverse_norms(const FunctionFactor& H, const Samples& over, const RowVec& squares,
                     FunctionRef<Mat(Index, Index)> values, double& least, Tick& tick) {
  const Index n = squares.size();
  RowVec norms(n);
  std::vector<double> below(static_cast<std::size_t>(n), 1);
  over.for_ranges(
      [&](Index begin, Index end, Tick& t) {
        constexpr Index width = 64;
        for (Index first = begin; first < end; first += width) {
          const Index last = std::min(end, first + width);
          const Mat white = H.white(values(first, last));
          for (Index i = first; i < last; ++i) {
            const Square h = H.square(squares[i], white.col(i - first), 1);
            norms[i] = h.possible() ? std::sqrt(h.most()) : HUGE_VAL;
            if (h.most() > 0) below[i] = (h.value() - h.rounding) / h.most();
          }
          t.look();
        }
      },
      tick);
  least = 1;
  for (const double share : below) least = std::min(least, share);
  return norms;
}

FunctionGradient gradient_of(const FunctionProblem& problem, const FunctionPair& pair,
                             const RowVec& slope, Tick& tick) {
  // mu w + sum share phi' k = mu (w - w(a)) + sum share (phi' - a) k
  Vec coef = RowVec::of(problem.n(), [&](Index i) {
               return problem.share[i] > 0 ? problem.share[i] * (slope[i] - pair.a[i]) : 0.0;
             }).local();
  if (!pair.residual.zero()) coef += problem.g.l2 * pair.residual.coef;
  return {problem.rows.function(std::move(coef), tick),
          problem.mean([&](Index i) { return slope[i]; })};
}

}  // namespace dualmargin::region
