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
//
// Of all classes in one problem w, v and u have a column for each, z and a as many numbers a row.
#include "linear/joint_solvers.h"
#include "linear/solvers.h"

namespace dualmargin::linear {

namespace {

struct ClassSlopes {
  RowMat slope;
};

// The best b for the scores z, and the slopes there; rest: any dual variables.
double best_slopes(const RowLosses& losses, const RowVec& z, const RowVec& rest, double b,
                   Slopes& at) {
  return losses.slopes_at_best(z, rest, 0, b, at);
}
Vec best_slopes(const ClassLosses& losses, const RowMat& z, const RowMat&, const Vec& b,
                ClassSlopes& at) {
  return losses.slopes_at_best(z, b, at.slope);
}

// (1/W) sum omega (to - from)
double mean_change(const Rows& rows, const RowVec& to, const RowVec& from) {
  return rows.sum([&](Index i) { return rows.share(i) * (to[i] - from[i]); });
}
Vec mean_change(const Rows& rows, const RowMat& to, const RowMat& from) {
  return sums(rows, to.width(),
              [&](Index i, Index c) { return rows.share(i) * (to(i, c) - from(i, c)); });
}

// (1/W) sum omega (phi + phi^* - a z)
double mean_gap(const Rows&, const RowLosses& losses, const RowVec& z, const RowVec& a) {
  return losses.fenchel(z, a, 1).gap;
}
double mean_gap(const Rows& rows, const ClassLosses& losses, const RowMat& z, const RowMat& a) {
  return rows.sum([&](Index i) {
    return rows.share(i) * losses.loss.fenchel_gap(z.at(i), a.at(i), losses.y[i]);
  });
}

// Rounding is counted where it is certified; an l1 part has its multiple of the dual point.
template <class L, class Array = typename L::Array>
Certificate estimate(const ProblemOf<L>& problem, const ScoredPrimalOf<Array>& p,
                     SummedDualOf<Array>& d, Run& run) {
  const ElasticNet& g = problem.penalty;
  if (g.l1 > 0 || g.any_free()) return problem.certify(p, d, run);
  const Eigen::Map<const Vec> w(p.w.data(), p.w.size()), u(d.u.data(), d.u.size());
  const FenchelSums sums = problem.losses.fenchel(p.z, d.a, 1);
  return problem.told(p, d, Certificate(sums.value + g.value(w), sums.gap + g.gap(w, u)));
}

double squared(double x) { return x * x; }
template <class E>
double squared(const Eigen::MatrixBase<E>& x) {
  return x.squaredNorm();
}

template <class Losses, class Solution>
Solution accelerated(const ProblemOf<Losses>& problem, bool restart, const Solution& start,
                     Run& run) {
  using Array = typename Losses::Array;
  const Rows& rows = problem.rows;
  const Losses& losses = problem.losses;
  const ElasticNet& g = problem.penalty;
  const double mu = g.strong_convexity();
  const Array rest = losses.rest();
  const Solution first = problem.begin(start, "fista");
  Weights<Array> w = g.nearest(first.w), v = w, u;
  Intercept<Array> b = first.b;
  Array z = problem.multiply(w, run), z_v = z;
  double t = 1;
  run.be_patient(0.97);  // values fall like 1 / k^2, and not from step to step
  std::conditional_t<std::is_same_v<Array, RowVec>, Slopes, ClassSlopes> at;
  run.spend(0.5);
  // no L below the second derivative along a coordinate where all rows have their largest curvature
  double L = std::max(rows.column_norms(run).maxCoeff(), 1e-150);
  constexpr double share = 1e-12;  // of zero columns, where any L is one
  L = std::max(L * L / losses.gamma(), share * mu);

  BestOf<Array> incumbent(run.iterate());
  const auto cached = [&] {
    const ScoredPrimalOf<Array> primal{{w, b}, z + b};
    SummedDualOf<Array> dual = problem.of_slopes(at.slope, u, run);
    const Certificate c = estimate(problem, primal, dual, run);
    incumbent.offer_primal(primal, c.value);
    incumbent.offer_dual(dual, c.bound);
    return incumbent.certificate();
  };
  const auto exact = [&] { return certify_best(problem, incumbent, run); };
  // The least L that a step from v to `next` allows. What is left of f beside its tangent is
  // (1/W) sum omega_i [phi(z_i) + phi^*(a_i) - a_i z_i] for any b, and at most that of the largest
  // curvature 1/gamma, which does not drown in the rounding of phi.
  const auto least = [&](const Weights<Array>& next, const Array& z_next) {
    const double length = (next - v).squaredNorm();
    if (length == 0) return 0.0;
    Intercept<Array> shift = 0 * b;
    if (losses.free_intercept) shift = -mean_change(rows, z_next, z_v);
    const double most =
        rows.sum([&](Index i) { return rows.share(i) * squared(z_next[i] - z_v[i] + shift); });
    const Array scores = z_next + (b + shift);
    return std::min(most / losses.gamma(), 2 * mean_gap(rows, losses, scores, at.slope)) / length;
  };

  for (;;) {
    b = best_slopes(losses, z_v, rest, b, at);
    u = problem.transpose_multiply(losses.weighted(at.slope), run);
    run.spend(0.5);
    if (!run.proceed(cached, exact, 0)) break;

    Weights<Array> next;
    Array z_next;
    for (;; L *= 2) {
      next = g.prox(v - u / L, 1 / L);
      z_next = problem.multiply(next, run);
      run.spend(0.5);
      if (least(next, z_next) <= L || run.exhausted()) break;
    }

    const bool uphill = restart && (v - next).cwiseProduct(next - w).sum() > 0;
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

}  // namespace

Solution fista(const LinearProblem& problem, const FistaOptions& options, const Solution& start,
               Sampler&, Run& run) {
  return accelerated(problem, options.restart, start, run);
}

JointSolution joint_fista(const JointProblem& problem, bool restart, const JointSolution& start,
                          Run& run) {
  return accelerated(problem, restart, start, run);
}

}  // namespace dualmargin::linear
