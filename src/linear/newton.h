// Newton's method for smooth losses: subsampled start, cached scores, exact line search, and a
// Hessian that is corrected row by row as rows change their curvature. For squared hinge losses: O.
// L. Mangasarian (2002), Optimization Methods and Software 17, 913-929; S. S. Keerthi and D.
// DeCoste (2005), Journal of Machine Learning Research 6, 341-361.
//
//   min_{w,b}  (1/W) sum_i omega_i phi(w'x_i + b; y_i) + g(w)
//
// With a = slope at (w, exact b) the dual point comes free with the gradient, so the certificate is
// looked at after every step: for ridge its gap is |grad P|^2 / (2 l2).
#pragma once

#include "linear/subsample.h"

namespace dualmargin {

struct NewtonOptions {
  bool subsample = true;
};

template <class Data>
Solution newton(const Erm<Data>& problem, const NewtonOptions& options, const Solution& start,
                Sampler& sampler, Monitor& monitor) {
  Solution s = start;
  s.solver = "newton";
  const bool cold = s.w.size() != problem.x.dim();
  if (cold) s.w = Vec::Zero(problem.x.dim());
  // a quadratic loss, the one whose dual domain is all of R, is solved by its first step from
  // anywhere
  const bool quadratic = problem.row_loss.dual_shift();
  if (cold && options.subsample && !quadratic) {
    s = subsample_start(problem, 0, s, sampler, monitor);
  }

  Descent<Data> descent(problem, Rows::all(problem.n(), problem.weights, problem.y), monitor);
  descent.start(s.w, s.b, Vec::Zero(problem.n()), 0);
  const auto certify = [&] {
    s.w = descent.w();
    s.b = descent.b();
    s.a = descent.slope();
    const Vec z = (descent.margin().array() + s.b).matrix();
    Certificate cached;
    if (problem.penalty.l1 == 0) {
      cached = problem.estimate_at_slopes(s.w, z, descent.dual_sum());
    } else {
      if (problem.free_intercept) balance(problem.row_loss, problem.weights, s.a);
      Vec u = descent.dual_sum();
      cached = problem.certify_at(s.w, z, s.a, u);
    }
    // the cached scores have drifted by some roundings: the last word is said without them
    return monitor.within_tolerance(cached) ? problem.certify_slopes(s, monitor) : cached;
  };
  while (monitor.proceed(monitor.spend(descent.take_epochs()), certify, 0)) {
    descent.aim();
    if (!monitor.in_time()) break;
    descent.move();
  }
  return s;
}

}  // namespace dualmargin
