#include "linear/quasi_newton.h"

#include <algorithm>

#include "base/mix64.h"
#include "linear/cost_model.h"

namespace dualmargin::linear {

double price_of_hessian(const Rows& rows) {
  constexpr double losses = 6;  // of a step, in exponentials a row
  const seconds::Table table = cost::table(rows);
  const double products = rows.sum([&](Index i) {
    const double entries = static_cast<double>(rows.nonzeros(i));
    return entries * entries / 2;
  });
  return (products * table.each() + seconds::cholesky(table.columns)) /
         (2 * table.look() + losses * table.rows * seconds::exponential);
}

double step_along(double fall, double t, FunctionRef<std::array<double, 2>(double)> slope_at) {
  constexpr int most_trials = 30;
  double low = 0, high = HUGE_VAL;
  if (!std::isfinite(t)) t = 1;
  for (int k = 0;; ++k) {
    const auto [slope, curvature] = slope_at(t);
    const bool falls = slope <= 0;  // a slope that is no number does not
    if (std::abs(slope) <= 0.1 * fall) return t;
    if (k == most_trials) return falls ? t : low;
    (falls ? low : high) = t;
    t -= slope / curvature;
    const double furthest = low > 0 ? std::min(high, 8 * low) : high;
    if (t > low && t < furthest) continue;
    t = !std::isfinite(high) ? 8 * low : low > 0 ? std::sqrt(low) * std::sqrt(high) : high / 8;
  }
}

std::optional<RowChoice> draw_sample(const Rows& rows, Sampler& sampler) {
  constexpr double rows_a_column = 40;
  const double wanted = rows_a_column * static_cast<double>(rows.dim());
  if (rows.count() < 2 * wanted) return std::nullopt;
  const auto stretches = static_cast<Index>(wanted * static_cast<double>(rows.n()) / rows.count());
  const auto salt = static_cast<std::uint64_t>(sampler.uniform() * 0x1p53);
  RowChoice some;
  for (Index k = 0; k < stretches; ++k) {
    const double draw =
        static_cast<double>(mix64(salt + static_cast<std::uint64_t>(k)) >> 11) * 0x1p-53;
    const auto place = (static_cast<double>(k) + draw) / static_cast<double>(stretches);
    some.id.push_back(
        std::min(rows.n() - 1, static_cast<Index>(place * static_cast<double>(rows.n()))));
  }
  const auto of = [&](const RowVec& all) {
    return RowVec::of(stretches, [&](Index k) { return all[some.id[k]]; });
  };
  some.y = of(rows.y);
  some.weights = of(rows.weights);
  if (rows.offset != nullptr) some.offset = of(*rows.offset);
  return some;
}

}  // namespace dualmargin::linear
