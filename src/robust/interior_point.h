// Primal-dual interior point method, predictor and corrector: S. Mehrotra (1992), SIAM Journal on
// Optimization 2, 575-601, with the centrality corrector of J. Gondzio (1996), Computational
// Optimization and Applications 6, 137-156. On the problem of robust_svm.h with x = (w, b, t) and
// the heights s_i of the rows (row_terms.h):
//
//   min_{x, s}  t epsilon + sum_i c_i s_i + c/2 |w|^2,   |w|_q <= t,   c_i = omega_i / W.
//
// Stationarity, with the multipliers of the rows and (Y, rho) of the cone (cone.h):
//
//   w: c w - sum_i c_i (alpha_i - beta_i) z_i - Y = 0,    z_i = y_i x_i,
//   b: sum_i c_i (alpha_i - beta_i) y_i = 0,
//   t: epsilon - kappa sum_i c_i beta_i - rho = 0.
//
// Eliminating s and all multipliers leaves one system in x for every step (newton_matrix.h).
#pragma once

#include "robust/cone_l2.h"
#include "robust/merged_rows.h"
#include "robust/newton_matrix.h"

namespace dualmargin::robust {

// alpha = beta and small enough that v = 0 and theta >= epsilon / 2: strictly feasible. Without
// flips alpha = 1/2, made smaller in the heavier class where the intercept is free, so that
// sum c_i y_i alpha_i = 0 from the start.
template <class Problem>
Vec central_alpha(const Problem& problem, double beta) {
  if (problem.flips()) return Vec::Constant(problem.n(), beta);
  Vec alpha = Vec::Constant(problem.n(), 0.5);
  if (!problem.free_intercept) return alpha;
  const double up = (problem.y.array() > 0).select(problem.weights, 0.0).sum();
  const double down = problem.total_weight - up, lighter = std::min(up, down);
  if (!(lighter > 0)) return alpha;
  for (Index i = 0; i < problem.n(); ++i) alpha[i] *= lighter / (problem.y[i] > 0 ? up : down);
  return alpha;
}

// A start is not used: from near a solution interior point methods are slower than from afar.
template <class Data>
RobustPoint interior_point(const RobustSvm<Data>& whole, Run& run) {
  constexpr int correctors = 2;
  // differs: the whole cone aims at a tenth of the complementarity of one piece of all rows
  // together, and no step goes closer to the boundary however small mu is, as second-order cones
  // lose their centre else. Measured on a1a, a9a and ijcnn1.
  constexpr double cone_part = 0.1, share_of_step = 0.98;
  const MergedRows<Data> merged(whole, run);
  const auto& problem = merged.problem();
  const Index d = problem.x.dim(), last = d + problem.free_intercept;
  Vec share = problem.weights / problem.total_weight;
  NewtonMatrix<Subset<Data>> matrix(problem, run);
  run.spend(1);  // the merge

  Vec x = Vec::Zero(matrix.size());  // (w, b, t)
  Vec u = Vec::Zero(problem.n());    // u_i = y_i (x_i'w + b)
  x[last] = 1;
  // differs: no smaller than these, even where that is not feasible: from multipliers of 1e-5, as a
  // tiny radius would have them, the products start so far apart that the steps stay short.
  constexpr double least_beta = 0.05, least_theta = 0.03;
  const bool flips = problem.flips();
  const double share_paid = problem.radius / (2 * problem.label_cost);
  const double beta = flips ? std::clamp(share_paid, least_beta, 0.3) : 0.0;
  RowTerms rows(share, flips, problem.flip_cost(), 1, central_alpha(problem, beta), beta);
  std::unique_ptr<Cone> cone = std::make_unique<NoCone>(d);
  if (problem.radius > 0) {
    const double theta = problem.radius - problem.flip_cost() * beta;
    cone = make_cone(problem.q, d, 1, flips ? std::max(theta, least_theta) : theta);
  }
  const double tau = cone_part / std::max(cone->degree(), 1.0);
  // the gap that belongs to mu = 1
  const double degree = rows.degree() + tau * cone->degree();

  // Rounding of a step times the rows' curvature 1 / mu enters the dual residual. From the first
  // sign of it, a certificate worse than mu says although the last step was feasible, or a short
  // step, every direction is corrected once for what it leaves.
  bool careful = false, feasible = false;
  double certified_gap = HUGE_VAL;
  RobustIncumbent incumbent(problem);
  const auto certify = [&] {
    RobustPoint s;
    s.w = x.head(d);
    s.b = matrix.intercept(x);
    const Vec z = problem.y.cwiseProduct(u);
    s.t = problem.radius > 0 ? std::max(x[last], norm(problem.q, s.w)) : problem.best_t(s.w, z);
    s.alpha = rows.alpha();
    s.beta = rows.beta();
    problem.clip_and_balance(s.alpha, s.beta);
    Vec v = problem.dual_sum(s.alpha, s.beta, run);
    // a bound for |w|_q <= R says nothing beside one for another R
    if (problem.conditional()) incumbent = RobustIncumbent(problem);
    Certificate pair = incumbent.offer(s, problem.certify_at(s, z, v));
    certified_gap = pair.gap;
    if (pair.gap > pair.value) {  // then no multipliers at all are a better bound, 0
      s.alpha.setZero();
      s.beta.setZero();
      pair = incumbent.offer(s, Certificate(pair.value, pair.value));
    }
    if (!run.within_tolerance(pair)) return pair;
    // what ends the run is recomputed from the points themselves, on all rows
    RobustPoint end = merged.expand(incumbent.best);
    return whole.certify(end, run);
  };
  // half a pass for the dual sum of the certificate
  while (run.proceed(run.spend(matrix.take_epochs() + 0.5), certify, 0)) {
    rows.look(u, x[last]);
    cone->look(x.head(d), x[last]);
    if (!matrix.factor(rows.curvature(), *cone)) break;  // there is no next iterate

    struct Aim {
      Vec rows, cone;
    };
    struct Newton {
      Vec x;
      Pairs::Step rows, cone;
    };
    const auto direction = [&](const Aim& aim) -> Newton {
      Vec dx = Vec::Zero(matrix.size());
      Vec d_rows = rows.at_rest(aim.rows), d_cone = cone->at_rest(aim.cone);
      for (int k = 0; k < (careful ? 2 : 1); ++k) {
        // what is out of balance in the stationarity conditions, x has to answer
        const Vec multiplier = rows.pairs.multiplier + d_rows;
        const Cone::Force force = cone->force(cone->pairs.multiplier + d_cone);
        Vec right = matrix.gather(share.cwiseProduct(rows.forces(multiplier)));
        right.head(d) += force.w - problem.ridge * (x.head(d) + dx.head(d));
        right[last] = force.t + rows.flipped(multiplier) - problem.radius;
        const Vec part = matrix.solve(right);
        dx += part;
        d_rows += rows.response(matrix.slopes(part), part[last]);
        d_cone += cone->response(part.head(d), part[last]);
      }
      return {dx, rows.pairs.step(aim.rows, d_rows),
              cone->step(aim.cone, d_cone, dx.head(d), dx[last])};
    };
    // with a ridge the dual residual is made of w, so both sides must move as one
    const auto lengths = [&](const Newton& step) {
      const StepLengths row = rows.pairs.room(step.rows), ball = cone->room(step.cone);
      // a full step may end near the boundary, where it aimed at, but not on it
      const auto inside = [](double room) { return room > 1 + 1e-9 ? 1 : room * (1 - 1e-9); };
      StepLengths room{inside(std::min(row.primal, ball.primal)),
                       inside(std::min(row.dual, ball.dual))};
      if (problem.ridge > 0) room.primal = room.dual = room.shorter();
      return room;
    };

    const double mu = (rows.gap() + cone->gap()) / degree;
    careful = careful || (feasible && certified_gap > 2 * mu * degree);
    const Newton affine = direction({rows.pairs.predictor(), cone->predictor()});
    if (!run.in_time()) break;
    const StepLengths reach = lengths(affine);
    const double ahead = (rows.gap(affine.rows, reach) + cone->gap(affine.cone, reach)) / degree;

    // differs: no smaller than the tolerance asks for, as in linear/interior_point.h
    const double enough = 0.3 * run.tolerance() * incumbent.value / degree;
    const double target = std::max(centring(mu, ahead) * mu, enough);
    Aim aim{rows.pairs.corrector(target, affine.rows), cone->corrector(tau * target, affine.cone)};
    Newton step = direction(aim);
    StepLengths length = lengths(step);
    for (int k = 0; k < correctors && length.shorter() < 0.9 && run.in_time(); ++k) {
      const StepLengths hope = length.stretched();
      aim = {rows.pairs.recentred(aim.rows, step.rows, hope, target),
             cone->recentred(aim.cone, step.cone, hope, tau * target)};
      const Newton corrected = direction(aim);
      const StepLengths gained = lengths(corrected);
      if (!gained.worth(length)) break;
      step = corrected;
      length = gained;
    }
    careful = careful || length.shorter() < 0.1;
    if (!run.in_time() || !step.x.allFinite() || !step.rows.multiplier.allFinite()) break;
    length.primal *= length.primal < 1 ? share_of_step : 1;
    length.dual *= length.dual < 1 ? share_of_step : 1;
    feasible = length.dual > 0.9;
    x += length.primal * step.x;
    rows.pairs.move(step.rows, length);
    cone->pairs.move(step.cone, length);
    u = matrix.slopes(x);
    run.count_step();
  }
  RobustPoint best = merged.expand(incumbent.best);
  best.solver = "interior_point";
  return best;
}

}  // namespace dualmargin::robust
