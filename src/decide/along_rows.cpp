#include "decide/along_rows.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace dualmargin::decide {

AlongRows::AlongRows(const Rows& rows_, const LossPtr& loss_, bool free_)
    : rows(rows_), held(loss_), loss(*held), free(free_), sums_(RowVec::of(rows.n(), [&](Index i) {
        double sum = 0;
        rows.for_each(i, [&](Index, double v) { sum += std::abs(v); });
        return sum;
      })) {}

double AlongRows::largest_norm() const {
  return std::max(0.0, rows.max([&](Index i) { return norm(i); }));
}

linear::LinearProblem AlongRows::problem(double lambda) const {
  return {rows, held, ElasticNet::from(lambda, 0), free};
}

AlongPoint AlongRows::point(const linear::Solution& s, double lambda, Wanted wanted,
                            Tick& tick) const {
  AlongPoint p;
  p.lambda = lambda;
  p.w = s.w;
  p.b = free ? s.b : 0.0;
  p.a = s.a;
  p.z = rows.multiply(s.w, tick) + p.b;
  p.w1 = s.w.lpNorm<1>();
  p.ww = s.w.squaredNorm();
  p.wander_slope = score_rounding() * std::sqrt(p.ww);
  p.wander_level = rounding::of(4) * std::abs(p.b);
  if (wanted == Wanted::primal) return p;
  p.u = rows.transpose_multiply(rows.weights * p.a / rows.total_weight, tick);
  p.e = lambda * p.w + p.u;
  p.ee = p.e.squaredNorm();
  p.du = rounding::of(rows.additions() + 8) *
         mean([&](Index i) { return std::abs(p.a[i]) * norm(i); });
  p.misfit = misfit(p);
  return p;
}

double AlongRows::misfit(const AlongPoint& p) const {
  const auto [sum, drift, sizes, scores] = rows.sum([&](Index i) {
    const double share = rows.share(i), z = p.z[i], t = p.a[i], dz = p.wander(norm(i));
    const double value = loss.value(z, y(i)), conjugate = loss.conjugate(t, y(i));
    const double size = std::abs(value) + std::abs(conjugate) + std::abs(t * z);
    const double low = loss.slope(z - 2 * dz, y(i)), high = loss.slope(z + 2 * dz, y(i));
    const double off = std::max(std::abs(low - t), std::abs(high - t));
    const double term =
        std::max(0.0, value + conjugate - t * z) + rounding::of_term() * size + dz * off;
    return std::array<double, 4>{share * term, share * t, share * std::abs(t), share * std::abs(z)};
  });
  if (!free) return sum;
  return sum + (std::abs(drift) + rounding::of_value() * sizes) * scores;
}

double AlongRows::curvature(double z, Index i) const { return loss.second(z, y(i)); }

Vec AlongRows::gradient_of(const AlongPoint& p, Tick& tick) const {
  const RowVec slopes = RowVec::of(n(), [&](Index i) { return rows.share(i) * slope(p, i); });
  Vec g(dim() + free);
  g.head(dim()) = rows.transpose_multiply(slopes, tick) + p.lambda * p.w;
  if (free) g[dim()] = rows.sum([&](Index i) { return slopes[i]; });
  return g;
}

}  // namespace dualmargin::decide
