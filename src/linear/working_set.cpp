#include "linear/working_set.h"

#include <algorithm>

#include "base/rounding.h"

namespace dualmargin::linear {

double descent_rate(const ElasticNet& g, Index j, double w, double u) {
  const double slope = u + g.l2_of(j) * w, l1 = g.l1_of(j);
  const double right = w < g.upper(j) ? -slope - (w >= 0 ? l1 : -l1) : -HUGE_VAL;
  const double left = w > g.lower(j) ? slope + (w > 0 ? l1 : -l1) : -HUGE_VAL;
  return std::max(left, right);
}

Vec within_bounds(const std::vector<Coordinate>& coordinates, const Vec& step) {
  return Vec::NullaryExpr(step.size(), [&](Index k) {
    const Coordinate& c = coordinates[static_cast<std::size_t>(k)];
    const double end = std::clamp(c.value + step[k], c.lower, c.upper);
    const double rounding = rounding::of(8) * (std::abs(c.value) + std::abs(step[k]));
    const auto meets = [&](double bound) { return std::abs(end - bound) <= rounding; };
    return meets(c.lower) ? c.lower : meets(c.upper) ? c.upper : end;
  });
}

Vec up_to_kinks(const std::vector<Coordinate>& coordinates, const Vec& step) {
  return Vec::NullaryExpr(step.size(), [&](Index k) {
    const Coordinate& c = coordinates[static_cast<std::size_t>(k)];
    const double lower = c.l1 > 0 && c.value > 0 ? 0.0 : c.lower;
    const double upper = c.l1 > 0 && c.value < 0 ? 0.0 : c.upper;
    return std::clamp(c.value + step[k], lower, upper);
  });
}

std::pair<double, double> beyond_kinks(const std::vector<Coordinate>& coordinates, const Vec& step,
                                       double fall, double bend) {
  std::vector<std::pair<double, double>> kinks;  // where, jump
  for (Index k = 0; k < step.size(); ++k) {
    const Coordinate& c = coordinates[static_cast<std::size_t>(k)];
    const auto add = [&](double kink, double jump) {
      const double t = (kink - c.value) / step[k];
      if (t > 0 && std::isfinite(t)) kinks.emplace_back(t, jump);
    };
    add(0, 2 * c.l1 * std::abs(step[k]));
    add(step[k] > 0 ? c.upper : c.lower, HUGE_VAL);
  }
  std::sort(kinks.begin(), kinks.end());
  double t = 0, value = 0, slope = -fall;  // slope at t, from the right
  for (const auto& [next, jump] : kinks) {
    if (slope + (next - t) * bend >= 0) break;
    value += (next - t) * (slope + 0.5 * (next - t) * bend);
    slope += (next - t) * bend;
    t = next;
    if (slope + jump >= 0) return {t, value};
    slope += jump;
  }
  const double rest = bend > 0 ? -slope / bend : 0.0;
  return {t + rest, value + rest * (slope + 0.5 * rest * bend)};
}

std::vector<Index> working_set(const std::vector<Index>& candidates, const ElasticNet& g,
                               const Vec& w, const Vec& u, const Vec& norm, const SetSize& size,
                               const std::vector<Index>& before) {
  std::vector<Index> set, others;
  auto old = before.begin();
  Index entering = 0;
  for (Index j : candidates) {
    while (old != before.end() && *old < j) ++old;
    const bool kept = w[j] != 0 || (old != before.end() && *old == j);
    (kept ? set : others).push_back(j);
    entering += !kept && descent_rate(g, j, w[j], u[j]) > 0;
  }
  const auto worse = [&](Index i, Index j) {
    const auto excess = [&](Index k) {
      const double ratio = descent_rate(g, k, w[k], u[k]) / std::max(norm[k], 1e-300);
      return std::isnan(ratio) ? HUGE_VAL : ratio;  // in some order
    };
    return excess(i) > excess(j);
  };
  const auto keep_worst = [&](std::vector<Index>& list, Index room) {
    if (static_cast<Index>(list.size()) <= room) return;
    std::nth_element(list.begin(), list.begin() + room, list.end(), worse);
    list.resize(room);
  };
  const Index used = static_cast<Index>(set.size());
  keep_worst(others, std::max(std::min(entering, size.entering), size.least - used));
  set.insert(set.end(), others.begin(), others.end());
  keep_worst(set, size.most);
  std::sort(set.begin(), set.end());
  return set;
}

}  // namespace dualmargin::linear
