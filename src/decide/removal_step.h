// The Newton step of a removal, with a bound on what it misses, of one score and of k, of the
// logistic, softmax or squared loss.
//
// With the Hessian H of the mean loss, N = [(e_c (x) x_i)'H^-1 (e_d (x) x_i)], L L' the curvature of
// the loss of row i in its scores and p its slope there, a removal changes H in its scores alone:
//
//   N_- = N + share_i N L (I - share_i L'N L)^-1 L'N,
//   lev_i the largest eigenvalue of share_i L'N L.
//
// d = share_i (p'N_- p)^(1/2), g = |G| (1 - lev_i)^(-1/2), R_i = R (1 - lev_i)^(-1/2) and t = d R_i.
// A combination s'z of scores is within (s'N_- s)^(1/2) nu psi(nu R_i), nu = g + d, of s'z_i, and
// within (s'N_- s e^t)^(1/2) nu psi(nu R_i e^(t/2)), nu = e^(t/2) (g + d (e^t - 1 - t)/t), of
// s'(z_i + share_i N_- p), but with an l1 part, whose subgradient stays where the step has not been
// taken. Rule "lambda": H shrinks by at most 1 - share_i.
#pragma once

#include <cmath>
#include <vector>

#include "base/slack.h"
#include "decide/eigenvalues.h"
#include "decide/fitted.h"

namespace dualmargin::decide {

// Of the fit: R and |G|, the length of its penalty's part, and by what norms may be too large.
struct AroundFit {
  double reach, nu, penalty, inflation;
};

// What H knows of a row: N as it was found, L, and p.
template <class Fit>
struct RowOfHessian {
  typename Fit::ScoreMatrix N, L;
  typename Fit::ScoreVector p;
};

template <class Fit>
void step_removal(const Fit& fit, const AroundFit& at, Index i, const RowOfHessian<Fit>& row,
                  std::vector<Ends>& ends) {
  using ScoreVector = typename Fit::ScoreVector;
  using ScoreMatrix = typename Fit::ScoreMatrix;
  const double share = fit.omega(i) / fit.W();
  const double shrink = fit.cost() ? 1.0 : fit.share_left(i), inflation = at.inflation * at.inflation;
  const ScoreMatrix low = row.N / inflation, high = row.N * inflation, &L = row.L;
  const ScoreMatrix taken = share * L.transpose() * high * L;
  const double lev = largest_eigenvalue(taken) / shrink;
  if (!(shrink > 0 && lev < 1 - 1e-6)) return;
  const auto reduced = [&](const ScoreMatrix& N, double left) -> ScoreMatrix {
    const ScoreMatrix NL = N * L, one = ScoreMatrix::Identity(NL.rows(), NL.cols());
    const ScoreMatrix core = one - share / left * L.transpose() * NL;
    return (N + share / left * NL * inverse_of(core) * NL.transpose()) / left;
  };
  const ScoreMatrix most = reduced(high, 1), range = most - reduced(low, 1);
  const ScoreMatrix norm = fit.cost() ? most : reduced(high, shrink);
  const auto length = [](const ScoreMatrix& of, const ScoreVector& s) {
    return std::sqrt(std::max(0.0, s.dot(of * s)));
  };
  const double factor = 1 / std::sqrt(shrink * (1 - lev)), drop = share * length(norm, row.p);
  const double pull = fit.cost() ? 0.0 : share * at.penalty;
  const region::Left left = region::by_leaving((at.nu + pull) * factor, drop, at.reach * factor,
                                               shrink, fit.constant());
  const ScoreVector z = fit.scores(i), step = share * (most - range / 2) * row.p;
  const double step_rounding = share * length(range, row.p);
  fit.for_contrasts(i, [&](std::size_t place, const ScoreVector& s) {
    const double own = s.dot(z), sizes = s.cwiseAbs().dot(z.cwiseAbs() + step.cwiseAbs());
    const double lost = s.template lpNorm<1>() * fit.pair.z_rounding[i] + rounding::of(8) * sizes;
    const double half = length(norm, s) * left.direct * rounding::raised_exp + lost;
    ends[place].intersect(i, {own - half, own + half});
    // after a step another subgradient of an l1 part may be due
    if (!std::isfinite(left.stepped) || fit.sparse()) return;
    const double centre = own + s.dot(step);
    const double near =
        (length(norm, s) * left.stepped + length(range, s) * step_rounding) * rounding::raised_exp +
        lost;
    ends[place].intersect(i, {centre - near, centre + near});
  });
}

// For all rows of a fit of one score.
template <class Fit>
void step_removal(const Fit& fit, std::vector<Ends>& ends) {
  using One = typename Fit::ScoreMatrix;
  const auto& e = fit.ellipsoid;
  const Loss& phi = fit.problem.phi;
  const AroundFit at{e.reach, e.nu, fit.problem.g.l2 * e.length_of_w, e.inflation};
  for (Index i = 0; i < fit.n(); ++i) {
    const double y = fit.problem.y(i), z = fit.pair.z[i], norm = e.norms[i] / e.inflation;
    step_removal<Fit>(
        fit, at, i,
        {One(norm * norm), One(std::sqrt(phi.second(z, y))), One(phi.left(z, y))}, ends);
  }
}

}  // namespace dualmargin::decide
