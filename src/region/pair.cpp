#include "region/pair.h"

#include <algorithm>
#include <utility>

#include "region/function_rows.h"

namespace dualmargin::region {

double excess_above(const Loss& phi, double z, double a, double y, double e) {
  const double excess = std::max(0.0, phi.excess(z, a, y));
  const double size = 2 * (phi.value(z, y) + std::abs(a * z)) + excess + std::abs(a * y);
  const double off = std::max(std::abs(phi.left(z - e, y) - a), std::abs(phi.right(z + e, y) - a));
  return excess + rounding::of_term() * size + e * off;
}

template <class Geometry>
void find_excess(const ProblemIn<Geometry>& problem, RowTerms& pair) {
  pair.excess = RowVec::Zero(problem.n());
  for (Index i = 0; i < problem.n(); ++i) {
    if (!(problem.omega(i) > 0)) continue;
    pair.excess[i] =
        excess_above(problem.phi, pair.z[i], pair.a[i], problem.y(i), pair.z_rounding[i]);
  }
  pair.mean_excess = mean_above(problem, [&](Index i) { return pair.excess[i]; });
}

Pair pair_of(const Problem& problem, Vec w, double b, RowVec a, Tick& tick) {
  const auto& rows = problem.rows;
  const Index n = problem.n();
  Pair pair;
  for (Index i = 0; i < n; ++i) a[i] = problem.phi.nearest(a[i], problem.y(i));
  problem.losses.balance(a);
  pair.z = rows.multiply(w, tick) + b;
  pair.z_rounding = rows.roundings(w, b, tick);
  pair.u = rows.transpose_multiply(problem.share * a, tick);
  const double a_rms = std::sqrt(problem.mean([&](Index i) { return a[i] * a[i]; }));
  pair.u_rounding = problem.cross_rounding() * a_rms * problem.sizes(tick).stored;
  pair.w = std::move(w);
  pair.b = b;
  pair.a = std::move(a);
  find_excess(problem, pair);
  return pair;
}

template void find_excess(const ProblemIn<Rows>&, RowTerms&);
template void find_excess(const ProblemIn<FunctionRows>&, RowTerms&);

}  // namespace dualmargin::region
