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

#include "base/golden_section.h"
#include "robust/margin_admm.h"

namespace dualmargin::robust {

// The best mixture of two dual points, its bound taken at the point s.
inline Solution best_mixture(const RobustSvm& problem, const Primal& primal, const Dual& one,
                             const Dual& other, Tick& tick) {
  Solution s{primal, one};
  s.z = problem.scores(s.w, s.b, tick);
  const auto bound = [&](double share) {
    s.alpha = (1 - share) * one.alpha + share * other.alpha;
    s.beta = (1 - share) * one.beta + share * other.beta;
    s.v = (1 - share) * one.v + share * other.v;
    return problem.estimate(s, s).bound;
  };
  bound(golden_section(bound, 0, 1));
  return s;
}

inline Solution gs_admm(const RobustSvm& problem, const AdmmOptions& options, const Solution& start,
                        Run& run) {
  // Without a radius t costs nothing: the search has one point, and there w is free.
  constexpr double unbounded = 1e300;
  constexpr int most_steps = 80;  // no number lies between the ends of the bracket by then

  Solution s = starting_point(problem, start);
  MarginAdmm admm(problem, s, options, run);
  Dual falls, rises;  // where F does, the newest
  Best best = problem.null_point();
  Certificate pair = problem.offer(best, s, problem.certify(s, run));

  const auto proceed = [&] {
    const auto known = [&] { return pair; };
    const auto exact = [&] { return problem.certify(best, run); };
    return run.proceed(known, exact, 0) && admm.finite();
  };
  // F(t), and what its solution is worth to the whole problem
  const auto evaluate = [&](double t, double rival) {
    const AtT f = admm.solve(t, 0.1 * run.tolerance(), rival);
    Solution here = admm.point(t);
    (f.slope < 0 ? falls : rises) = here;
    pair = problem.offer(best, here, problem.certify(here, run));
    run.spend(2);
    if (falls.v.size() > 0 && rises.v.size() > 0) {
      Solution mixed = best_mixture(problem, best.primal(), falls, rises, run);
      pair = problem.offer(best, mixed, problem.certify(mixed, run));
      run.spend(3);
    }
    return f.value;
  };

  bool go_on = proceed();
  if (problem.radius > 0) {
    double least = HUGE_VAL;
    const auto negative = [&](double t) {
      if (!go_on) return 0.0;
      const double value = evaluate(t, least);
      least = std::min(least, value);
      go_on = proceed();
      return -value;
    };
    golden_section(negative, 0, 1 / problem.radius, most_steps, 0);
  } else {
    for (; go_on; go_on = proceed()) evaluate(unbounded, HUGE_VAL);
  }
  return {best.primal(), best.dual(), "gs_admm"};
}

}  // namespace dualmargin::robust
