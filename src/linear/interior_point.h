// Primal-dual interior point method for the plain hinge, predictor and corrector: S. Mehrotra
// (1992), SIAM Journal on Optimization 2, 575-601, with the centrality correctors of J. Gondzio
// (1996), Computational Optimization and Applications 6, 137-156. On support vector machines: M. C.
// Ferris and T. S. Munson (2003), SIAM Journal on Optimization 13, 783-804; S. Fine and K.
// Scheinberg (2001), Journal of Machine Learning Research 2, 243-264.
//
//   min_v  sum_k c_k max(0, q_k) + l2/2 |w|^2 - l1 1'w,   q = offset + G v,   v = (w, b)
//
// The rows have c_i = omega_i / W and q_i = 1 - y_i (x_i'w + b), the coordinates c_j = 2 l1 and
// q_j = w_j: together with -l1 1'w they are l1 |w|_1. Stationarity is
//
//   l2 w - l1 1 + G'(c beta) = 0,   in b:  sum_i c_i y_i beta_i = 0,
//
// with box multipliers beta (hinge_terms.h); a_i = -y_i beta_i is the dual point. Eliminating
// slacks and multipliers leaves one system of size d + 1 for both steps (interior_system.h).
#pragma once

#include "linear/hinge_terms.h"
#include "linear/interior_system.h"

namespace dualmargin::linear {

// beta = 1/2, made smaller in the heavier class where the intercept is free: then
// sum c_i y_i beta_i = 0 at the start and, the constraint being linear, ever after.
template <class Data>
Vec central_multipliers(const Erm<Data>& problem, const std::vector<Index>& rows, Index terms) {
  Vec beta = Vec::Constant(terms, 0.5);
  if (!problem.free_intercept) return beta;
  double up = 0, down = 0;
  for (Index i : rows) (problem.y[i] > 0 ? up : down) += problem.weights[i];
  const double lighter = std::min(up, down);
  if (lighter == 0) return beta;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    beta[k] *= lighter / (problem.y[rows[k]] > 0 ? up : down);
  }
  return beta;
}

constexpr int centrality_correctors = 2;

// A start is not used: from near a solution interior point methods are slower than from afar.
template <class Data>
Solution interior_point(const Erm<Data>& problem, Run& run) {
  std::vector<Index> rows;
  for (Index i = 0; i < problem.n(); ++i) {
    if (problem.weights[i] > 0) rows.push_back(i);
  }
  const Index m = static_cast<Index>(rows.size()), p = problem.x.dim();
  const double l1 = problem.penalty.l1, l2 = problem.penalty.l2;
  InteriorSystem<Data> system(problem, rows, run);

  Vec v = Vec::Zero(system.size());               // (w, b)
  Vec offset = Vec::Zero(system.terms());         // q at v = 0
  Vec c = Vec::Constant(system.terms(), 2 * l1);  // weights of the kinks
  for (Index k = 0; k < m; ++k) c[k] = problem.weights[rows[k]] / problem.total_weight;
  offset.head(m).setOnes();
  Vec q = offset;  // offset + G v
  // Rows and coordinates get equal shares of the gap, however small l1 is: the dual point stays as
  // far inside |u_j| <= l1 as rounding needs.
  Vec tau = Vec::Ones(system.terms());
  if (l1 > 0) tau.tail(p).setConstant(1 / (2 * l1 * static_cast<double>(p)));
  HingeTerms terms(c, tau, q, central_multipliers(problem, rows, system.terms()));

  Best incumbent;
  const auto certify = [&] {
    Vec z = Vec::Zero(problem.n()), a = Vec::Zero(problem.n());
    const double b = problem.free_intercept ? v[p] : 0.0;
    for (Index k = 0; k < m; ++k) {
      const double y = problem.y[rows[k]];
      z[rows[k]] = y * (1 - q[k]) - b;
      a[rows[k]] = -y * std::clamp(terms.beta[k], 0.0, 1.0);
    }
    const double best_b = problem.best_intercept(z, b);
    z.array() += best_b;
    if (problem.free_intercept) balance(problem.row_loss, problem.weights, a);
    Vec u = problem.dual_sum(a, run);
    const Vec w = v.head(p);
    const Certificate here = problem.certify_at(w, z, a, u);
    incumbent.offer_primal({w, best_b}, here.value);
    incumbent.offer_dual({a}, here.bound);
    const Certificate pair = incumbent.certificate();
    // as in ssnal.h: what ends the run is recomputed from the points themselves
    return run.within_tolerance(pair) ? certify_best(problem, incumbent, run) : pair;
  };
  // half a pass for the dual sum of the certificate
  while (run.proceed(run.spend(system.take_epochs() + 0.5), certify, 0)) {
    const Vec h = terms.curvature();
    if (!system.factor(c.cwiseProduct(h))) break;  // there is no next iterate
    struct Newton {
      Vec v;
      HingeTerms::Step terms;
    };
    const auto direction = [&](const HingeTerms::Aim& aim) -> Newton {
      const Vec pull = terms.pull(q, aim);
      Vec right = -system.gather(c.cwiseProduct(terms.beta + h.cwiseProduct(pull)));
      right.head(p).array() += l1;
      right.head(p) -= l2 * v.head(p);
      const Vec dv = system.solve(right);
      return {dv, terms.step(h.cwiseProduct(system.slopes(dv) + pull), aim)};
    };
    // with l2 > 0 the dual residual is made of w, so both sides must move as one
    const auto lengths = [&](const HingeTerms::Step& step) {
      StepLengths room{terms.primal_room(step), terms.dual_room(step)};
      if (l2 > 0) room.primal = room.dual = std::min(room.primal, room.dual);
      return room;
    };

    const double mu = terms.mu();
    const Newton affine = direction(terms.predictor());
    if (!run.in_time()) break;
    const StepLengths reach = lengths(affine.terms);
    HingeTerms ahead = terms;
    ahead.move(affine.terms, reach.primal, reach.dual);

    // differs: no smaller than the tolerance asks for. Rounding enters the dual residual like
    // 1 / mu, and without strong convexity the bound pays for it in first order.
    const double enough = 0.3 * run.tolerance() * incumbent.value() / (2 * c.dot(tau));
    const double target = std::max(centring(mu, ahead.mu()) * mu, enough);
    HingeTerms::Aim aim = terms.corrector(target, affine.terms);
    Newton step = direction(aim);
    StepLengths length = lengths(step.terms);
    for (int k = 0; k < centrality_correctors && length.shorter() < 0.9 && run.in_time(); ++k) {
      const StepLengths hope = length.stretched();
      aim = terms.recentred(aim, step.terms, hope.primal, hope.dual, target);
      const Newton corrected = direction(aim);
      const StepLengths gained = lengths(corrected.terms);
      if (!gained.worth(length)) break;
      step = corrected;
      length = gained;
    }
    if (!run.in_time() || !step.v.allFinite() || !step.terms.beta.allFinite()) break;
    length = length.inside(mu);
    v += length.primal * step.v;
    terms.move(step.terms, length.primal, length.dual);
    q = offset + system.slopes(v);
    run.count_step();
  }
  return {incumbent.primal(), incumbent.dual(), "interior_point"};
}

}  // namespace dualmargin::linear
