// What every primal-dual interior point method of this package shares: S. Mehrotra (1992), SIAM
// Journal on Optimization 2, 575-601.
#pragma once

#include "core/normal_matrix.h"

namespace dualmargin {

// The largest step in [0, 1] that leaves v + step dv >= 0.
inline double step_to_boundary(const Vec& v, const Vec& dv) {
  double step = 1;
  for (Index k = 0; k < v.size(); ++k) {
    if (dv[k] < 0) step = std::min(step, -v[k] / dv[k]);
  }
  return step;
}

// Share of the way to the boundary: Mehrotra's 1 - O(mu) near the end, for superlinear convergence.
inline double interior_step(double to_boundary, double mu) {
  return to_boundary < 1 ? std::max(0.995, 1 - mu) * to_boundary : 1.0;
}

// The target is sigma mu: the better the affine step alone, the less centring.
inline double centring(double mu, double mu_affine) {
  const double ratio = mu_affine / mu;
  return ratio * ratio * ratio;
}

// Conjugate gradients preconditioned by a factorisation of (nearly) the same matrix: iterative
// refinement that also undoes a regularised pivot. `apply` multiplies by the matrix itself.
template <class Apply>
Vec refined_solve(const Cholesky& factor, Apply apply, const Vec& right) {
  constexpr int most = 10;
  constexpr double accuracy = 1e-16;  // of the squared energy norm
  Vec search = factor.solve(right), solution = Vec::Zero(right.size()), residual = right;
  double rho = residual.dot(search);
  const double target = accuracy * rho;
  for (int iteration = 0; iteration < most && rho > target; ++iteration) {
    const Vec image = apply(search);
    const double curvature = search.dot(image);
    if (!(curvature > 0)) break;
    solution += (rho / curvature) * search;
    residual -= (rho / curvature) * image;
    const Vec scaled = factor.solve(residual);
    const double next = residual.dot(scaled);
    search = scaled + (next / rho) * search;
    rho = next;
  }
  return solution;
}

}  // namespace dualmargin
