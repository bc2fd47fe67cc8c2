// What every primal-dual interior point method of this package shares: S. Mehrotra (1992), SIAM
// Journal on Optimization 2, 575-601; J. Gondzio (1996), Computational Optimization and
// Applications 6, 137-156, for the correction of centrality.
#pragma once

#include <utility>

#include "algebra/conjugate_gradients.h"
#include "algebra/normal_matrix.h"

namespace dualmargin {

// The largest step in [0, most] that leaves v + step dv >= 0.
inline double step_to_boundary(const Vec& v, const Vec& dv, double most = 1) {
  double step = most;
  for (Index k = 0; k < v.size(); ++k) {
    if (dv[k] < 0) step = std::min(step, -v[k] / dv[k]);
  }
  return step;
}

struct StepLengths {
  double primal = 1, dual = 1;

  double shorter() const { return std::min(primal, dual); }
  // Mehrotra's share of the way to the boundary, 1 - O(mu) near the end: superlinear convergence.
  StepLengths inside(double mu) const {
    const double share = std::max(0.995, 1 - mu);
    return {primal < 1 ? share * primal : 1, dual < 1 ? share * dual : 1};
  }
  // Gondzio's corrector aims at a longer step and is kept when it achieves a tenth of the hope.
  static constexpr double hope = 0.3, achieved = 0.1;
  StepLengths stretched() const {
    return {std::min(1.0, primal + hope), std::min(1.0, dual + hope)};
  }
  bool worth(const StepLengths& before) const {
    return primal + dual >= before.primal + before.dual + achieved * hope &&
           shorter() >= 0.9 * before.shorter();
  }
};

// The target is sigma mu: the better the affine step alone, the less centring.
inline double centring(double mu, double mu_affine) {
  const double ratio = mu_affine / mu;
  return ratio * ratio * ratio;
}

// Conjugate gradients preconditioned by a factorisation of (nearly) the same matrix: iterative
// refinement that also undoes a regularised pivot. `apply` multiplies by the matrix itself.
template <class Apply>
Vec refined_solve(const Cholesky& factor, Apply apply, const Vec& right, Tick& tick) {
  double target = 0, last = HUGE_VAL;  // of the squared energy norm
  const auto more = [&](int step, double rho) {
    if (step == 0) target = 1e-28 * rho;
    const bool falls = rho < std::exchange(last, rho);  // else it is rounding
    return step < 10 && rho > target && falls && tick.in_time();
  };
  return pcg(
             apply, [&](const Vec& v) { return factor.solve(v); }, right, more)
      .solution;
}

}  // namespace dualmargin
