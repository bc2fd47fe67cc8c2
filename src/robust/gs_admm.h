// Golden section over t with ADMM inside, the baseline of J. Li, C. Chen, A. M.-C. So (2020),
// arXiv:2010.12865, appendix C, after J. Li, S. Huang, A. M.-C. So (2019), A First-Order
// Algorithmic Framework for Distributionally Robust Logistic Regression, NeurIPS 32,
// arXiv:1910.12778.
//
//   min over t of F(t),   F(t) = min over (w, b) with |w|_q <= t of P(w, b, t)   (margin_admm.h)
//
// F is convex, and at an optimum t <= 1 / epsilon (Proposition 6.10; for every q and c, since
// 1 = P(0, 0, 0) >= P >= t epsilon).
// differs: the certificate is of the whole problem. Where F has a kink the multipliers of no single
// t are optimal, but a mixture of those where F falls and those where it rises is.
#pragma once

#include "robust/margin_admm.h"

namespace dualmargin::robust {

struct Multipliers {
  Vec alpha, beta;
  Vec v;  // their dual sum
};

// The best mixture of two dual points, its bound taken at the point s.
template <class Data>
RobustPoint best_mixture(const RobustSvm<Data>& problem, RobustPoint s, const Multipliers& one,
                         const Multipliers& other, Run& run) {
  const Vec z = problem.scores(s.w, s.b, run);
  const auto bound = [&](double share) {
    s.alpha = (1 - share) * one.alpha + share * other.alpha;
    s.beta = (1 - share) * one.beta + share * other.beta;
    Vec v = (1 - share) * one.v + share * other.v;
    return problem.certify_at(s, z, v).bound;
  };
  bound(golden_section(bound, 0, 1));
  return s;
}

template <class Data>
RobustPoint gs_admm(const RobustSvm<Data>& problem, const AdmmOptions& options,
                    const RobustPoint& start, Run& run) {
  constexpr double ratio = 0.6180339887498949;
  // Without a radius t costs nothing: the search has one point, and there w is free.
  constexpr double unbounded = 1e300;
  const bool search = problem.radius > 0;

  RobustPoint s = starting_point(problem, start);
  MarginAdmm<Data> admm(problem, s, options, run);
  Multipliers falls, rises;  // where F does, the newest
  RobustIncumbent incumbent(problem);
  Certificate pair = incumbent.offer(s, problem.certify(s, run));

  // F(t), and what its solution is worth to the whole problem
  const auto evaluate = [&](double t, double rival) {
    const AtT f = admm.solve(t, 0.1 * run.tolerance(), rival);
    RobustPoint here = admm.point(t);
    (f.slope < 0 ? falls : rises) = Multipliers{here.alpha, here.beta, admm.dual_sum()};
    pair = incumbent.offer(here, problem.certify(here, run));
    run.spend(2);
    if (falls.v.size() > 0 && rises.v.size() > 0) {
      RobustPoint mixed = best_mixture(problem, incumbent.best, falls, rises, run);
      pair = incumbent.offer(mixed, problem.certify(mixed, run));
      run.spend(3);
    }
    return f;
  };
  const auto certify = [&] { return pair; };

  double low = 0, high = search ? 1 / problem.radius : unbounded;
  AtT left, right;  // low < left.t < right.t < high, known or to be solved
  while (run.proceed(run.epoch(), certify, 0) && admm.finite()) {
    if (!search) {
      evaluate(high, HUGE_VAL);
      continue;
    }
    if (left.known() && right.known()) {
      if (left.value < right.value) {
        high = right.t, right = left, left = AtT();
      } else {
        low = left.t, left = right, right = AtT();
      }
    }
    if (!(high - low > 1e-15 * high)) break;  // stalled: no number lies between the ends
    if (left.known()) {
      right = evaluate(low + ratio * (high - low), left.value);
    } else {
      left = evaluate(high - ratio * (high - low), right.value);
    }
  }
  incumbent.best.solver = "gs_admm";
  return incumbent.best;
}

}  // namespace dualmargin::robust
