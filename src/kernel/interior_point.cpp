// The interior point method of the linear family for a piecewise linear loss, on rows that have the
// kernel's values as their inner products. S. Fine and K. Scheinberg (2001), Efficient SVM training
// using low-rank kernel representations, Journal of Machine Learning Research 2, 243-264.
//
//   K = G G' by a pivoted factorisation, up to rounding of each k(x_i, x_i)
//   min_{w, b}  \frac\lambda2 |w|^2 + \frac1W \sum_i \omega_i \phi(G_i w + b; y_i)
//
// Its dual variables are those of kernel_problem.h, where they are certified by the values of the
// kernel. Smooth kernels have far fewer columns in G than rows, and are those whose dual problem is
// flat in most directions, so that first-order methods creep.
#include "linear/interior_point.h"

#include <algorithm>

#include "algebra/cholesky.h"
#include "kernel/solvers.h"
#include "rows/dense.h"

namespace dualmargin::kernel {

namespace {

PivotedCholesky low_rank(const KernelProblem& problem, const InteriorPointOptions& options,
                         Run& run) {
  // what is left of a row is within the rounding of its scores, function_space.h
  constexpr double tolerance = 1e-15;
  const Gram& K = problem.space.exact();
  const Index n = K.n();
  Vec diagonal(n), size = Vec::Zero(n);
  for (Index i = 0; i < n; ++i) {
    diagonal[i] = K.squared_norm(i);
    if (problem.losses.omega[i] > 0) size[i] = diagonal[i];
  }
  const auto column = [&](Index i) {
    Vec k = Vec::Zero(n);
    K.axpy(i, 1, k);
    return k;
  };
  const double most = options.cache_bytes / (8 * static_cast<double>(n));
  return PivotedCholesky(diagonal, size, tolerance, static_cast<Index>(std::min(most, 1e9)), column,
                         run);
}

}  // namespace

// As in the linear family a start is of no use, but that it is what is left where the time is over.
Solution interior_point(const KernelProblem& problem, const InteriorPointOptions& options,
                        const Solution& start, Run& run) {
  Solution s = start;
  s.a = problem.dual_or_rest(s.a);
  s.solver = "interior_point";
  const auto exact = [&] { return problem.certify(s, s, run); };
  const PivotedCholesky G = low_rank(problem, options, run);
  const double share = static_cast<double>(G.rank()) / static_cast<double>(problem.n());
  run.spend(share * (1 + share));
  if (G.rank() == 0 || !run.in_time()) {
    run.proceed(exact, 0);
    return s;
  }
  const RowLosses& losses = problem.losses;
  Team alone;  // classes are solved side by side
  const Dense features(G.factor.data(), problem.n(), G.rank(), 0);
  const linear::LinearProblem flat(Rows(features, losses.y, losses.omega, alone), losses.held,
                                   {0, problem.space.lambda()}, losses.free_intercept);
  linear::InnerPoint inner(flat, run, share);
  linear::Best best;
  const auto estimate = [&] {
    const Certificate c = inner.offer(best);
    s = {{Vec(), Vec(), best.primal().b}, {best.dual().a.local()}, s.solver};
    return c;
  };
  dualmargin::interior_point(inner, run, estimate, exact);
  s.f = problem.x().multiply(problem.coefficients(s), run);
  return s;
}

}  // namespace dualmargin::kernel
