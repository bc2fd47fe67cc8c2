// The curvature at a kernel fit with the logistic or squared loss, as ellipsoid.h has it for columns.
// With D = diag(omega phi'')^(1/2), kappa = mu W, M = kappa I + D K D and Mi = D M^{-1} D, a function
// v with the values p at the rows, and an entry s for a free intercept,
//
//   |(v, s)|^2_{H^-1} = (1/kappa) [|v|^2 - p'Mi p + (s - 1'Mi p)^2 / (1'Mi 1)],
//
// the last term for a free intercept alone; norms are in units of H/W. The matrix is factored up to
// 2,000 rows.
#pragma once

#include <Eigen/Cholesky>
#include <algorithm>
#include <numeric>
#include <vector>

#include "region/of_kernel.h"

namespace dualmargin::region {

struct FunctionEllipsoid {
  RowVec norms;  // of the rows; nothing where there is no curvature
  double nu = HUGE_VAL, reach = 0, pull = 0, inflated = 1;

  double inflation() const { return inflated; }
  double length_of(const Function&) const { return pull; }  // of the pair's w alone
};

namespace curved {

// The factor of M, with what its norms are off by.
class Hessian {
 public:
  Hessian(const FunctionProblem& problem, const FunctionPair& pair, const Gram& gram)
      : free_(problem.free()), kappa_(problem.g.l2 * problem.total_weight()) {
    const Index n = problem.n();
    for (Index i = 0; i < n; ++i) {
      if (problem.omega(i) > 0) used_.push_back(i);
    }
    std::vector<Index> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), Index(0));
    gram.kernel().block(all.data(), n)->square(values_);
    values_.array() += gram.constant();
    const auto m = static_cast<Index>(used_.size());
    const FunctionSizes& sizes = problem.rows.sizes();
    d_.resize(m);
    double trace = 0, error = 0, wander = 0;
    for (Index k = 0; k < m; ++k) {
      const Index i = used_[k];
      const double bend = problem.omega(i) * problem.phi.curvature(pair.z[i], problem.y(i));
      d_[k] = std::sqrt(bend);
      trace += bend * sizes.scale[i] * sizes.scale[i];
      error = std::max(error, sizes.error[i]);
      wander = std::max(wander, pair.z_rounding[i]);
    }
    for (Index i = 0; i < n; ++i) error = std::max(error, sizes.error[i]);
    Mat M(m, m);
    for (Index l = 0; l < m; ++l) {
      for (Index k = 0; k < m; ++k) M(k, l) = d_[k] * values_(used_[k], used_[l]) * d_[l];
    }
    M.diagonal().array() += kappa_;
    factor_.compute(M);
    // of the factor in units of its least eigenvalue, kappa, of the kernel values and of phi''
    const double size = static_cast<double>(n);
    rounding_ = 8 * (size + 4) * rounding::unit * (size * kappa_ + trace) / kappa_ +
                8 * rounding::unit * (2 * error + 8) * (trace / kappa_ + 1) + 8 * wander;
    if (!free_ || !usable()) return;
    one_ = white(Vec::Ones(m));
    mass_ = one_.squaredNorm();
  }

  bool usable() const {
    return factor_.info() == Eigen::Success && std::isfinite(rounding_) && rounding_ <= 1e-4 &&
           !(free_ && one_.size() > 0 && !(mass_ > 0));
  }
  const Mat& values() const { return values_; }
  const std::vector<Index>& used() const { return used_; }
  double kappa() const { return kappa_; }
  double mass() const { return mass_; }

  // At the rows that are used; p: at all rows.
  Mat white(Mat p) const {
    p = (d_.asDiagonal() * p).eval();
    factor_.matrixL().solveInPlace(p);
    return p;
  }
  Vec some(const Vec& p) const {
    Vec part(static_cast<Index>(used_.size()));
    for (Index k = 0; k < part.size(); ++k) part[k] = p[used_[k]];
    return part;
  }
  // Of a function with |v|^2 = size from above and such whitened values. Beyond its rounding below
  // zero it is no square.
  Square square(double size, const Vec& whitened, double s) const {
    double last = 0;
    if (free_) {
      const double off = s - one_.dot(whitened);
      last = off * off / mass_;
    }
    return {(size - whitened.squaredNorm() + last) / kappa_, rounding_ * (size + last) / kappa_};
  }

 private:
  bool free_;
  double kappa_, rounding_ = HUGE_VAL, mass_ = 0;
  std::vector<Index> used_;
  Mat values_;
  Vec d_, one_;
  Eigen::LLT<Mat> factor_;
};

}  // namespace curved

inline FunctionEllipsoid ellipsoid_of(const FunctionProblem& problem, const FunctionPair& pair,
                                      const Gram& gram, Tick& tick) {
  FunctionEllipsoid e;
  const Index n = problem.n();
  if (problem.phi.curving() == Curving::sudden || n > largest_hessian) return e;
  const curved::Hessian H(problem, pair, gram);
  if (!H.usable()) return e;
  const auto& rows = problem.rows;
  const RowVec own = rows.squares();
  const double W = problem.total_weight(), kappa = H.kappa();
  RowVec norms(n);
  double least = 1;
  const auto some = [&](Index begin, Index end) {
    Mat p(static_cast<Index>(H.used().size()), end - begin);
    for (Index i = begin; i < end; ++i) p.col(i - begin) = H.some(H.values().col(i));
    return H.white(std::move(p));
  };
  std::vector<double> below(static_cast<std::size_t>(n), 1);
  rows.rows.for_ranges(
      [&](Index begin, Index end, Tick& t) {
        constexpr Index width = 64;
        for (Index first = begin; first < end; first += width) {
          const Index last = std::min(end, first + width);
          const Mat white = some(first, last);
          for (Index i = first; i < last; ++i) {
            const Square h = H.square(own[i], white.col(i - first), 1);
            norms[i] = h.possible() ? std::sqrt(h.most() * W) : HUGE_VAL;
            if (h.most() > 0) below[i] = (h.value() - h.rounding) / h.most();
          }
          t.look();
        }
      },
      tick);
  for (Index i = 0; i < n; ++i) {
    if (!std::isfinite(norms[i])) return e;
    least = std::min(least, below[i]);
  }
  if (least < 0.5) return e;
  // the gradient of the pair, and what scores that are off by e make of it: slopes move by e/gamma
  const RowVec slope =
      RowVec::of(n, [&](Index i) { return problem.phi.left(pair.z[i], problem.y(i)); });
  const RowVec off = RowVec::of(n, [&](Index i) {
    return problem.omega(i) > 0 ? problem.omega(i) * (slope[i] - pair.a[i]) : 0.0;
  });
  const auto [sum, size, length, wobble] = rows.rows.sum([&](Index i) {
    const double omega = problem.omega(i);
    if (!(omega > 0)) return std::array<double, 4>{0, 0, 0, 0};
    const double moved = omega * (pair.z_rounding[i] / problem.phi.gamma() +
                                  rounding::of_term() * (1 + std::abs(slope[i])));
    return std::array<double, 4>{omega * slope[i], omega * std::abs(slope[i]),
                                 moved * std::sqrt(own[i]), moved};
  });
  const Function residual = rows.function(off.local(), tick);
  const Square G = H.square(rows.square(residual).most(), H.white(H.some(residual.values)), sum);
  const Square pull = H.square(rows.square(pair.w).most(), H.white(H.some(pair.w.values)), 0);
  if (!G.possible() || !pull.possible()) return e;
  double nu = std::sqrt(G.most()) + length / std::sqrt(kappa) + std::sqrt(kappa) * pair.apart;
  if (problem.free()) {
    nu += (wobble + rounding::of_value() * size) / std::sqrt(kappa * H.mass());
  }
  e.nu = nu / std::sqrt(W) * (1 + 1e-10);
  e.pull = std::sqrt(pull.most() * W);
  e.inflated = std::pow(1 / least, 0.25) * (1 + 1e-10);
  for (const Index i : H.used()) e.reach = std::max(e.reach, norms[i]);
  e.norms = std::move(norms);
  return e;
}

}  // namespace dualmargin::region
