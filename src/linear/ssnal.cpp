// Proximal Newton on the dual (a semismooth Newton augmented Lagrangian method), for any loss and
// in particular the plain hinge: X. Li, D. Sun and K.-C. Toh (2018), SIAM Journal on Optimization
// 28, 433-458, with the loss in the place of their penalty; R. T. Rockafellar (1976), SIAM Journal
// on Control and Optimization 14, 877-898, for the proximal point method underneath.
//
//   repeat   (w, b) ~ argmin g(w) + (1/W) sum_i omega_i psi_i(w'x_i + b),
//                     psi_i(z) = max_t  t z - phi*(t) - q/2 (t - a_i)^2
//            a_i    <- psi_i'(w'x_i + b),   q <- shrink q
//
//   a   dual point, feasible at every step: the inner intercept makes sum omega_i a_i vanish
//   q   smoothing (`gamma` at the start)
#include "linear/proximal_newton.h"
#include "linear/solvers.h"

namespace dualmargin::linear {

Solution ssnal(const LinearProblem& problem, const SsnalOptions& options, const Solution& start,
               Sampler& sampler, Run& run) {
  Solution s = problem.begin(start, "ssnal");
  const bool cold = start.w.size() != problem.dim();
  const RowVec zero = RowVec::Zero(problem.n());
  if (s.a.size() != problem.n()) s.a = zero;
  double q = options.gamma;
  if (cold && options.subsample) s = subsample_start(problem, q, s, sampler, run);

  const auto view = view_by_rows(problem, run, problem.rows);
  ProximalNewton descent(problem, run, *view);
  descent.start(s.w, s.b, s.a, q);
  // a = 0 is always feasible, and D(0) is not far below P(0)
  Best incumbent(run.iterate());
  incumbent.offer_dual({zero}, -problem.losses.conjugate(zero, 1)[0]);
  RowVec centre = s.a;
  double last_gap = HUGE_VAL, accuracy = 0.1;  // inner gap, in units of the outer one
  const auto cached = [&] {
    const double b = problem.losses.best_intercept(descent.margin(), descent.b());
    const ScoredPrimal primal{{descent.w(), b}, descent.margin() + b};
    SummedDual dual{{descent.slope()}, descent.dual_sum()};
    problem.losses.balance(dual.a);
    // where psi is steep the last digit of b still leaves a out of balance, by more than rounding:
    // then u is not that of the point that keeps the constraint
    constexpr double rounding = 2e-15;
    const RowVec& a = descent.slope();
    const Rows& rows = problem.rows;
    const double moved = rows.max([&](Index i) { return std::abs(dual.a[i] - a[i]); });
    if (moved > rounding * rows.max([&](Index i) { return std::abs(a[i]); })) {
      dual.u = problem.dual_sum(dual.a, run);
      run.spend(0.5);
    }
    centre = dual.a;
    const Certificate c = problem.certify(primal, dual, run);
    incumbent.offer_primal(primal, c.value);
    incumbent.offer_dual(dual, c.bound);
    return incumbent.certificate();
  };
  const auto exact = [&] { return certify_best(problem, incumbent, run); };
  while (run.proceed(cached, exact, 0)) {
    const double gap = incumbent.value() - incumbent.bound();
    // an inner solution that brought nothing was not good enough
    constexpr double best = 1e-8, of_gap = 1e-9, least_q = 1e-12;  // beyond them lies rounding
    accuracy = gap > 0.9 * last_gap ? std::max(0.1 * accuracy, best) : 0.1;
    last_gap = gap;
    descent.smooth(centre, q);
    bool solved = false;
    for (int step = 0; step < 50 && !run.exhausted(); ++step) {
      solved = descent.gap() <= accuracy * gap;
      if (solved) break;
      // where l2 is tiny the surrogate's gap is loose; what the model still hopes for is not
      const double hope = descent.aim();
      if (!run.in_time()) break;
      solved =
          (problem.penalty.l1 > 0 || problem.penalty.bounded()) && hope <= of_gap * accuracy * gap;
      if (solved || !(hope > 0) || !descent.has_direction()) break;
      descent.move();
    }
    if (solved && accuracy == 0.1) q = std::max(q * options.shrink, least_q);
  }
  return {incumbent.primal(), incumbent.dual(), "ssnal"};
}

}  // namespace dualmargin::linear
