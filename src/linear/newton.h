// Newton's method for smooth losses: subsampled start, cached scores, exact line search, and a
// Hessian that is corrected row by row as rows change their curvature. For squared hinge losses: O.
// L. Mangasarian (2002), Optimization Methods and Software 17, 913-929; S. S. Keerthi and D.
// DeCoste (2005), Journal of Machine Learning Research 6, 341-361.
//
//   min_{w,b}  (1/W) sum_i omega_i phi(w'x_i + b; y_i) + g(w)
//
// With a = slope at (w, exact b) the dual point comes free with the gradient, so the certificate is
// looked at after every step: for ridge its gap is |grad P|^2 / (2 l2).
//
// Where the penalty is weak and the loss has flat pieces, the few rows with curvature change with
// every step, and the steps are short without end. Then g is strengthened until a few steps reach
// its minimum, and weakened again from one minimum to the next (continuation.h).
#pragma once

#include "linear/continuation.h"
#include "linear/subsample.h"

namespace dualmargin::linear {

struct NewtonOptions {
  bool subsample = true;
};

template <class Data>
Solution newton(const Erm<Data>& problem, const NewtonOptions& options, const Solution& start,
                Sampler& sampler, Run& run) {
  Solution s = start;
  s.solver = "newton";
  const bool cold = s.w.size() != problem.x.dim();
  if (cold) s.w = Vec::Zero(problem.x.dim());
  // a quadratic loss, the one whose dual domain is all of R, is solved by its first step from
  // anywhere
  const bool quadratic = problem.row_loss.dual_shift();
  if (cold && options.subsample && !quadratic) {
    s = subsample_start(problem, 0, s, sampler, run);
  }

  ProximalNewton<RowView<Data>> descent(problem, run,
                                        RowSample::all(problem.n(), problem.weights, problem.y));
  descent.start(s.w, s.b);
  Continuation continuation;
  double gap = HUGE_VAL;  // relative
  // the dual point comes with the gradient; the cached scores have drifted by some roundings, so
  // that the last word is said without them
  const auto cached = [&] {
    s.w = descent.w();
    s.b = descent.b();
    s.a = descent.slope();
    const Vec z = descent.scores();
    Vec u = descent.dual_sum();
    if (problem.penalty.l1 > 0 && problem.free_intercept) {
      balance(problem.row_loss, problem.weights, s.a);
    }
    const Certificate c = problem.penalty.l1 > 0 ? problem.certify_at(s.w, z, s.a, u)
                                                 : problem.estimate_at_slopes(s.w, z, u);
    gap = run.relative_gap(c);
    return c;
  };
  const auto exact = [&] { return problem.certify_slopes(s, run); };
  while (run.proceed(cached, exact, 0)) {
    const double hope = descent.aim();
    if (!run.in_time()) break;
    const bool there =
        hope <= 1e-3 * descent.penalty() || descent.gap() <= 1e-2 * descent.penalty();
    if (continuation.change(there, gap)) {
      descent.penalise(continuation.strengthened(problem.penalty));
      run.renew_patience();
      descent.aim();
      if (!run.in_time()) break;
    }
    if (!descent.has_direction()) break;
    descent.move();
  }
  return s;
}

}  // namespace dualmargin::linear
