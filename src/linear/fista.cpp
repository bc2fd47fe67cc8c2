// FISTA: proximal gradient steps with momentum, which begins anew where it points uphill.
// A. Beck and M. Teboulle (2009), SIAM Journal on Imaging Sciences 2, 183-202, (4.1)-(4.3) with
// backtracking; for strongly convex g A. Chambolle and T. Pock (2016), Acta Numerica 25, 161-319,
// Algorithm 5; B. O'Donoghue and E. Candes (2015), Foundations of Computational Mathematics 15,
// 715-732, Section 3.2, the gradient scheme.
//
//   min_w  f(w) + g(w),   f(w) = min_b (1/W) sum_i omega_i phi(w'x_i + b; y_i), smooth
//
//   w, v   iterate and extrapolated point, z and z_v their scores x_i'w and x_i'v
//   b      the best one at v; 0 where it is not free
//   a, u   slopes at (v, b), a dual point with sum omega_i a_i = 0, and u = grad f(v)
//
//   w+   = prox_{g/L}(v - u / L),    f(w+) <= f(v) + u'(w+ - v) + L/2 |w+ - v|^2
//   v    = w+ + beta (w+ - w),       beta = (t - 1) / t+  (1 - (t+ - 1) mu / L)
//   t+   = (1 - q t^2 + sqrt((1 - q t^2)^2 + 4 t^2)) / 2,   q = mu / (L + mu)
//
// mu = l2, how strongly convex g is. Momentum begins anew, t = 1, where (v - w+)'(w+ - w) > 0.
#include "linear/solvers.h"

namespace dualmargin::linear {

Solution fista(const LinearProblem& problem, const FistaOptions& options, const Solution& start,
               Sampler&, Run& run) {
  const Rows& rows = problem.rows;
  const RowLosses& losses = problem.losses;
  const ElasticNet& g = problem.penalty;
  const double mu = g.strong_convexity();
  const RowVec zero = RowVec::Zero(rows.n());
  Vec w = start.w.size() == rows.dim() ? g.nearest(start.w) : Vec::Zero(rows.dim());
  Vec v = w, u;
  RowVec z = rows.multiply(w, run), z_v = z;
  double b = start.b, t = 1;
  run.be_patient(0.97);  // values fall like 1 / k^2, and not from step to step
  Slopes at;
  run.spend(0.5);
  // no L below the second derivative along a coordinate where all rows have their largest curvature
  double L = std::max(rows.column_norms(run).maxCoeff(), 1e-150);
  L = std::max(L * L / losses.gamma(), 1e-12 * mu);

  Best incumbent(run.iterate());
  const auto cached = [&] {
    const ScoredPrimal primal{{w, b}, z + b};
    SummedDual dual = problem.of_slopes(at.slope, u, run);
    const Certificate c = problem.certify(primal, dual, run);
    incumbent.offer_primal(primal, c.value);
    incumbent.offer_dual(dual, c.bound);
    return incumbent.certificate();
  };
  const auto exact = [&] { return certify_best(problem, incumbent, run); };
  // The least L that a step from v to `next` allows. What is left of f beside its tangent is
  // (1/W) sum omega_i [phi(z_i) + phi^*(a_i) - a_i z_i] for any b, and at most that of the largest
  // curvature 1/gamma, which does not drown in the rounding of phi.
  const auto least = [&](const Vec& next, const RowVec& z_next) {
    const double length = (next - v).squaredNorm();
    if (length == 0) return 0.0;
    const auto mean = [&](auto term) {
      return rows.sum([&](Index i) { return rows.share(i) * term(z_next[i] - z_v[i]); });
    };
    const double shift = losses.free_intercept ? -mean([](double dz) { return dz; }) : 0;
    const double most = mean([&](double dz) { return (dz + shift) * (dz + shift); });
    const RowVec scores = z_next + (b + shift);
    return std::min(most / losses.gamma(), 2 * losses.fenchel(scores, at.slope, 1).gap) / length;
  };

  for (;;) {
    b = losses.slopes_at_best(z_v, zero, 0, b, at);
    u = rows.transpose_multiply(rows.weights * at.slope / rows.total_weight, run);
    run.spend(0.5);
    if (!run.proceed(cached, exact, 0)) break;

    Vec next;
    RowVec z_next;
    for (;; L *= 2) {
      next = Vec::NullaryExpr(v.size(), [&](Index j) { return g.prox(j, v[j] - u[j] / L, 1 / L); });
      z_next = rows.multiply(next, run);
      run.spend(0.5);
      if (least(next, z_next) <= L || run.exhausted()) break;
    }

    const bool uphill = options.restart && (v - next).dot(next - w) > 0;
    const double q = mu / (L + mu), c = 1 - q * t * t;
    const double renewed = uphill ? 1 : 0.5 * (c + std::sqrt(c * c + 4 * t * t));
    const double beta = uphill ? 0 : (t - 1) / renewed * (1 - (renewed - 1) * mu / L);
    v = next + beta * (next - w);
    z_v = z_next + beta * (z_next - z);
    t = renewed;
    // differs: where the momentum is gone a longer step may be tried
    if (uphill) L /= 2;
    w.swap(next);
    z.swap(z_next);
  }
  return {incumbent.primal(), incumbent.dual(), "fista"};
}

}  // namespace dualmargin::linear
