// The curvature of a kernel problem, as ellipsoid.h has it for columns. With H = sum_i h_i (k_i, 1)
// (k_i, 1)' + mu I, D = diag(h)^(1/2), M = mu I + D K D and Mi = D M^{-1} D, a function v with the
// values p at the rows, and an entry s for a free intercept,
//
//   |(v, s)|^2_{H^-1} = (1/mu) [|v|^2 - p'Mi p + (s - 1'Mi p)^2 / (1'Mi 1)],
//
// the last term for a free intercept alone. With the values r of (H - mu) v at the rows where h_i > 0
// and sum h_i (v_i + s) = t, y = D (v + s) there: M y = D r + mu s d. M is factored up to 2,000 rows.
#pragma once

#include <Eigen/Cholesky>
#include <algorithm>
#include <utility>
#include <vector>

#include "region/ellipsoid.h"
#include "region/of_kernel.h"

namespace dualmargin::region {

// The factor of M, with what its norms are off by.
class FunctionFactor {
 public:
  FunctionFactor() = default;
  // wander: how far h is off, as a share of it
  FunctionFactor(const FunctionProblem& problem, const RowVec& h, double wander)
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
      factor_.compute(M);
      solvable_ = factor_.info() == Eigen::Success;
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

  bool solvable() const { return solvable_; }
  bool usable() const { return solvable_ && std::isfinite(rounding_) && rounding_ <= 1e-4; }
  double mass() const { return mass_; }

  // L^{-1} D p of values at all rows, a column each.
  Mat white(const Mat& p) const {
    const auto m = static_cast<Index>(used_.size());
    Mat out(m, p.cols());
    const bool whole = p.rows() != m;
    for (Index c = 0; c < p.cols(); ++c) {
      for (Index k = 0; k < m; ++k) out(k, c) = d_[k] * p(whole ? used_[k] : k, c);
    }
    if (m > 0) factor_.matrixL().solveInPlace(out);
    return out;
  }
  // Of a function with |v|^2 = size from above and such whitened values. Beyond its rounding below
  // zero it is no square.
  Square square(double size, const Vec& whitened, double s) const {
    double last = 0;
    if (free_) {
      const double off = s - one_.dot(whitened);
      last = off * off / mass_;
    }
    return {(size - whitened.squaredNorm() + last) / mu_, lost(size, last)};
  }
  // Of a square in the norm that is (size + last - ...)/mu.
  double lost(double size, double last) const { return rounding_ * (size + last) / mu_; }
  // M^{-1} v for numbers of all rows.
  Vec inverse(const Vec& v) const {
    Vec out = v / mu_, some(static_cast<Index>(used_.size()));
    if (used_.empty()) return out;
    for (Index k = 0; k < some.size(); ++k) some[k] = v[used_[k]];
    factor_.solveInPlace(some);
    for (Index k = 0; k < some.size(); ++k) out[used_[k]] = some[k];
    return out;
  }
  // Mi p of values at all rows, as coefficients of functions.
  Mat inner(const Mat& p, Index n) const { return unwhitened(white(p), n); }
  // H^{-1} (v, t): v by its coefficients and values at all rows; the coefficients, and the entry of
  // the intercept.
  std::pair<Vec, double> solve(const Function& v, double t) const {
    Vec y = white(v.values);
    double s = 0;
    if (free_) {
      s = (t - one_.dot(y)) / (mu_ * mass_);
      y += mu_ * s * one_;
    }
    return {(v.coef - unwhitened(std::move(y), v.coef.size()).col(0)) / mu_, s};
  }

 private:
  Mat unwhitened(Mat y, Index n) const {
    Mat coef = Mat::Zero(n, y.cols());
    if (used_.empty()) return coef;
    factor_.matrixU().solveInPlace(y);
    for (Index k = 0; k < y.rows(); ++k) coef.row(used_[k]) = d_[k] * y.row(k);
    return coef;
  }

  bool free_ = false, solvable_ = false;
  double mu_ = 0, rounding_ = HUGE_VAL, mass_ = 0;
  std::vector<Index> used_;
  Vec d_, one_;
  Eigen::LLT<Mat> factor_;
};

struct FunctionEllipsoid {
  FunctionFactor factor;
  bool free = false;
  double reach = 0, nu = HUGE_VAL, radius = HUGE_VAL;  // as those of Ellipsoid
  RowVec norms;  // of the rows; nothing where there is no curvature
  double pull = 0, inflated = 1;

  bool usable() const { return norms.size() > 0 && std::isfinite(radius); }
  double inflation() const { return inflated; }
  double length_of(const Function&) const { return pull; }  // of the pair's w alone
};

inline FunctionFactor factored_hessian(const FunctionProblem& problem, const RowVec& h, Tick&) {
  if (problem.n() > largest_hessian) return {};
  return {problem, h, 0};
}

// |(k, 1)|_{H^-1} from above, of rows with such |k|^2; values(begin, end): theirs at the rows of the
// problem, a column each. least: the share of a square that is certain, at most.
template <class Values>
RowVec inverse_norms(const FunctionFactor& H, const Samples& over, const RowVec& squares,
                     Values values, double& least, Tick& tick) {
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
inline RowVec inverse_norms(const FunctionFactor& H, const FunctionRows& rows, double& least,
                            Tick& tick) {
  const auto values = [&](Index begin, Index end) {
    return rows.gram().middleCols(begin, end - begin);
  };
  return inverse_norms(H, rows.rows, rows.squares(), values, least, tick);
}
inline RowVec inverse_norms(const FunctionFactor& H, const FunctionRows& rows, bool, Tick& tick) {
  double least = 1;
  return inverse_norms(H, rows, least, tick);
}

// The gradient of P at a pair, a function and an entry of a free intercept.
struct FunctionGradient {
  Function of_w;
  double of_b;
};
inline FunctionGradient gradient_of(const FunctionProblem& problem, const FunctionPair& pair,
                                    const RowVec& slope, Tick& tick) {
  // mu w + sum share phi' k = mu (w - w(a)) + sum share (phi' - a) k
  Vec coef = RowVec::of(problem.n(), [&](Index i) {
               return problem.share[i] > 0 ? problem.share[i] * (slope[i] - pair.a[i]) : 0.0;
             }).local();
  if (!pair.residual.zero()) coef += problem.g.l2 * pair.residual.coef;
  return {problem.rows.function(std::move(coef), tick),
          problem.mean([&](Index i) { return slope[i]; })};
}

// |G|_{H^-1} at the pair from above. Scores that are off by e move slopes by e/gamma.
inline double secant_gradient(const FunctionProblem& problem, const FunctionPair& pair,
                              const FunctionFactor& H, const RowVec&, Tick& tick) {
  const auto& rows = problem.rows;
  const RowVec slope =
      RowVec::of(problem.n(), [&](Index i) { return problem.phi.left(pair.z[i], problem.y(i)); });
  const RowVec own = rows.squares();
  const auto [size, length, wobble] = rows.rows.sum([&](Index i) {
    const double share = problem.share[i];
    if (!(share > 0)) return std::array<double, 3>{0, 0, 0};
    const double moved = share * (pair.z_rounding[i] / problem.phi.gamma() +
                                  rounding::of_term() * (1 + std::abs(slope[i])));
    return std::array<double, 3>{share * std::abs(slope[i]), moved * std::sqrt(own[i]), moved};
  });
  const FunctionGradient g = gradient_of(problem, pair, slope, tick);
  const Square G = H.square(most_of(rows.square(g.of_w)), H.white(g.of_w.values).col(0), g.of_b);
  if (!G.possible()) return HUGE_VAL;
  const double mu = problem.g.l2;
  double nu = std::sqrt(G.most()) + length / std::sqrt(mu) + std::sqrt(mu) * pair.lost;
  if (problem.free()) nu += (wobble + rounding::of_value() * size) / std::sqrt(mu * H.mass());
  return nu * (1 + 1e-10);
}

inline FunctionEllipsoid ellipsoid_of(const FunctionProblem& problem, const FunctionPair& pair,
                                      Tick& tick) {
  FunctionEllipsoid e;
  const Index n = problem.n();
  const Curving curving = problem.phi.curving();
  if (curving == Curving::sudden || n > largest_hessian) return e;
  RowVec h(n);
  double wander = 0;
  for (Index i = 0; i < n; ++i) {
    h[i] = problem.share[i] * problem.phi.curvature(pair.z[i], problem.y(i));
    if (problem.share[i] > 0) wander = std::max(wander, pair.z_rounding[i]);
  }
  FunctionFactor H(problem, h, wander);
  if (!H.usable()) return e;
  const auto& rows = problem.rows;
  double least = 1;
  RowVec norms = inverse_norms(H, rows, least, tick);
  const bool finite = !rows.rows.any([&](Index i) { return !std::isfinite(norms[i]); });
  if (!finite || least < 0.5) return e;
  const double nu = secant_gradient(problem, pair, H, norms, tick);
  const Square pull = H.square(most_of(rows.square(pair.w)), H.white(pair.w.values).col(0), 0);
  if (!std::isfinite(nu) || !pull.possible()) return e;
  e.free = problem.free();
  e.nu = nu;
  e.pull = std::sqrt(pull.most());
  e.inflated = std::pow(1 / least, 0.25) * (1 + 1e-10);
  for (Index i = 0; i < n; ++i) {
    if (problem.share[i] > 0) e.reach = std::max(e.reach, norms[i]);
  }
  e.radius = e.nu * (curving == Curving::constant ? 1.0 : step_factor(e.nu * e.reach));
  e.norms = std::move(norms);
  e.factor = std::move(H);
  return e;
}

}  // namespace dualmargin::region
