#include "decide/along_rows.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace dualmargin::decide {

PairNumbers AlongPoint::numbers(const PenaltyShare& penalty) const {
  PairNumbers light = *this;
  if (penalty.ridge()) {
    light.w.resize(0);
    light.u.resize(0);
  }
  return light;
}

AlongRows::AlongRows(const Rows& rows_, const LossPtr& loss_, double mixture, bool free_)
    : rows(rows_),
      held(loss_),
      loss(*held),
      penalty(mixture),
      free(free_),
      sums_(RowVec::of(rows.n(), [&](Index i) {
        double sum = 0;
        rows.for_each(i, [&](Index, double v) { sum += std::abs(v); });
        return sum;
      })) {}

double AlongRows::largest_norm() const {
  return std::max(0.0, rows.max([&](Index i) { return norm(i); }));
}

linear::LinearProblem AlongRows::problem(double lambda) const {
  return {rows, held, ElasticNet::from(lambda, penalty.mixture()), free};
}

AlongPoint AlongRows::point(const linear::Solution& s, double lambda, Wanted wanted,
                            Tick& tick) const {
  AlongPoint p;
  p.lambda = lambda;
  p.dim = static_cast<double>(dim());
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
  p.e = lambda * (1 - penalty.mixture()) * p.w + p.u;
  p.we = p.w.dot(p.e);
  p.ee = p.e.squaredNorm();
  p.du = rounding::of(rows.additions() + 8) *
         mean([&](Index i) { return std::abs(p.a[i]) * norm(i); });
  p.loss = mean([&](Index i) { return loss.value(p.z[i], y(i)); });
  p.misfit = misfit(p, p.a);
  if (!penalty.ridge()) {
    for (std::size_t k = 0; k < dual_shares.size(); ++k) {
      p.misfits[k] = misfit(p, p.a, dual_shares[k]);
    }
  }
  return p;
}

double AlongRows::misfit(const AlongPoint& p, const RowVec& a, double theta) const {
  const auto [sum, drift, sizes, scores] = rows.sum([&](Index i) {
    const double share = rows.share(i), z = p.z[i], t = theta * a[i], dz = p.wander(norm(i));
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
