#include "loss/row_losses.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/rounding.h"

namespace dualmargin {

namespace {

constexpr double leftmost = -1e300;  // left of every kink

// The middle; every other time a wide bracket is left near its end nearer to 0. Newton's step from
// where all curvatures are next to nothing, as those of a smooth loss far out, may end at 1e90.
double between(double low, double high, int iteration) {
  if (iteration % 2 == 0 || high - low < 1e6) return 0.5 * (low + high);
  const bool up = std::abs(low) < std::abs(high);
  return up ? low + std::sqrt(high) : high - std::sqrt(-low);
}

// Where r vanishes on an interval around b (every row sits on a linear piece), its middle: at an
// end the next step of w would run into a kink at once.
template <class R>
double middle_of_zero(R r, double b) {
  constexpr double precise = 1e-9;  // of a middle, which nothing hangs on
  const auto edge = [&](double direction) {
    double inside = 0, outside = 1;
    while (r(b + direction * outside) == 0 && outside < 1e12) {
      inside = outside;
      outside *= 2;
    }
    for (int i = 0; i < 40 && outside - inside > precise * outside; ++i) {
      const double trial = 0.5 * (inside + outside);
      (r(b + direction * trial) == 0 ? inside : outside) = trial;
    }
    return inside;
  };
  const double right = edge(1), left = edge(-1);
  const double middle = b + 0.5 * (right - left);
  return r(middle) == 0 ? middle : b;
}

}  // namespace

// Of what is summed over blocks of rows.
template <class Part>
auto RowLosses::mean(Part part) const {
  return in_mean(over_.sum_blocks([&](Index begin, Index end) {
    return part(Loss::Block{begin, end});
  }));
}

RowLosses::RowLosses(LossPtr loss_, const RowVec& y_, const RowVec& omega_, bool free, Team& team,
                     double total, const RowVec* offset_)
    : held(std::move(loss_)),
      loss(*held),
      y(y_),
      omega(omega_),
      free_intercept(free),
      over_(y_.size(), team),
      total_weight(total),
      offset(offset_) {}

RowLosses::RowLosses(LossPtr loss_, const RowVec& y_, const RowVec& omega_, bool free, Team& team,
                     const RowVec* offset_)
    : RowLosses(std::move(loss_), y_, omega_, free, team,
                RowSums(y_.size(), team).accurate_sum([&](Index i) { return omega_[i]; }),
                offset_) {}

double RowLosses::value(const RowSpan& z) const {
  if (offset != nullptr) return without().value(whole(z));
  return mean([&](Loss::Block rows) { return loss.values(rows, omega, z, y); });
}

std::array<double, 2> RowLosses::conjugate(const RowSpan& a, double theta) const {
  std::array<double, 2> found =
      mean([&](Loss::Block rows) { return loss.conjugates(rows, omega, a, theta, y); });
  if (offset != nullptr) {
    const double slope = mean_over([&](Index i) { return omega[i] * a[i] * (*offset)[i]; });
    found[0] -= theta * slope;
    found[1] -= slope;
  }
  return found;
}

FenchelSums RowLosses::fenchel(const RowSpan& z, const RowSpan& a, double theta) const {
  if (offset != nullptr) {  // phi(z + o) + [phi*(a) - a o] - a z is that of the whole score
    FenchelSums sums = without().fenchel(whole(z), a, theta);
    // the offset is added to what it may cancel, and bounds b as the scores do
    const auto [size, lever] = in_mean(over_.sum([&](Index i) {
      const double o = std::abs((*offset)[i]);
      return std::array<double, 2>{omega[i] * o, omega[i] * std::abs(theta * a[i]) * o};
    }));
    sums.score_size += size;
    sums.size += lever;
    return sums;
  }
  const auto s =
      mean([&](Loss::Block rows) { return loss.fenchel_sums(rows, omega, z, a, theta, y); });
  return {s[0], s[1], s[2], s[3], s[4], s[5], s[6]};
}

void RowLosses::dual_steps(const RowSpan& z, double b, const RowSpan& a, double q,
                           Slopes& at) const {
  at.slope.resize(n());
  at.curvature.resize(n());
  const auto steps = [&](const RowSpan& scores) {
    over_.for_blocks([&](Index begin, Index end) {
      loss.dual_steps({begin, end}, scores, b, y, a, q, at.slope, at.curvature);
    });
  };
  if (offset == nullptr) return steps(z);
  steps(whole(z));
}

std::array<double, 2> RowLosses::along(const RowSpan& z, const RowSpan& d, double t,
                                       Slopes& at) const {
  if (offset != nullptr) return without().along(whole(z), d, t, at);
  at.slope.resize(n());
  at.curvature.resize(n());
  return mean([&](Loss::Block rows) {
    return loss.along(rows, omega, z, d, t, y, at.slope, at.curvature);
  });
}

RowVec RowLosses::slopes(const RowSpan& z) const {
  Slopes at;
  dual_steps(z, 0, RowVec::Zero(n()), 0, at);
  return std::move(at.slope);
}

double RowLosses::null_value() const {
  constexpr std::size_t few = 8;
  std::vector<double> label;
  for (Index i = 0; i < n() && offset == nullptr && label.size() <= few; ++i) {
    if (std::find(label.begin(), label.end(), y[i]) == label.end()) label.push_back(y[i]);
  }
  const auto kinds = static_cast<Index>(label.size());
  if (!label.empty() && over_.team.size() == 1 && label.size() <= few &&
      n() > static_cast<Index>(few)) {
    const RowVec few_y = RowVec::of(kinds, [&](Index k) { return label[k]; });
    const RowVec few_omega = RowVec::of(kinds, [&](Index k) {
      return over_.sum([&](Index i) { return y[i] == few_y[k] ? omega[i] : 0.0; });
    });
    return RowLosses(held, few_y, few_omega, free_intercept, over_.team).null_value();
  }
  const RowVec zero = RowVec::Zero(n());
  return value(RowVec::Constant(n(), best_intercept(zero, 0)));
}

std::vector<SlopeRange> RowLosses::slope_ranges(double z) const {
  constexpr double rounding = rounding::of(16);
  std::vector<SlopeRange> at(static_cast<std::size_t>(n()));
  for (Index i = 0; i < n(); ++i) {
    SlopeRange& range = at[static_cast<std::size_t>(i)];
    const double score = z + offset_of(i);
    range.low = range.high = loss.slope(leftmost, y[i]);
    for (const Kink& kink : loss.kinks(y[i])) {
      const double off = score - kink.at;
      const double near = rounding * (std::abs(z) + std::abs(score - z) + std::abs(y[i]));
      if (off > near) range.low += kink.rise;
      if (off >= -near) range.high += kink.rise;
    }
  }
  return at;
}

double RowLosses::best_intercept(const RowSpan& z, double b) const {
  if (!free_intercept) return 0;
  if (!smooth()) return kink_intercept(z);
  Slopes at;
  return slopes_at_best(z, RowVec::Zero(n()), 0, b, at);
}

double RowLosses::slopes_at_best(const RowSpan& z, const RowSpan& a, double q, double b, Slopes& at,
                                 double enough) const {
  if (!free_intercept) {
    dual_steps(z, 0, a, q, at);
    return 0;
  }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double rounding = rounding::of(8);
  double low = -infinity, high = infinity, stride = 1;
  for (int iteration = 0; iteration < 200; ++iteration) {
    const auto [r, rise, size] = balance_at(z, a, q, b, at);
    if (r == 0 && rise == 0) {
      b = middle_of_zero([&](double trial) { return balance_at(z, a, q, trial, at)[0]; }, b);
      balance_at(z, a, q, b, at);
      break;
    }
    if (std::abs(r) <= std::max(rounding, enough) * size || !std::isfinite(r)) break;
    (r > 0 ? high : low) = b;
    double next = rise > 0 ? b - r / rise : infinity;
    if (!(next > low && next < high) || !std::isfinite(next)) {
      const bool bracketed = std::isfinite(low) && std::isfinite(high);
      next = bracketed ? between(low, high, iteration) : b - std::copysign(stride, r);
      stride *= 2;
    }
    if (next == b || next == low || next == high) break;
    b = next;
  }
  return b;
}

void RowLosses::balance(Vec& a) const {
  if (!free_intercept) return;
  const auto [sum, above, below] = over_.sum([&](Index i) {
    const double t = omega[i] * a[i];
    return std::array<double, 3>{t, std::max(t, 0.0), std::max(-t, 0.0)};
  });
  if (loss.dual_shift()) {
    for (Index i = 0; i < n(); ++i) a[i] -= sum / total_weight;
    return;
  }
  const double up = above > below ? below / above : 1, down = below > above ? above / below : 1;
  for (Index i = 0; i < n(); ++i) a[i] *= a[i] > 0 ? up : down;
}

RowVec RowLosses::scores_of(const RowSpan& a) const {
  return RowVec::of(n(), [&](Index i) {
    return omega[i] > 0 ? loss.dual_piece(a[i], y[i]).score - offset_of(i) : 0.0;
  });
}

RowVec RowLosses::curvatures_of(const RowSpan& a) const {
  constexpr double beyond = 1 + 1e-9;  // a at an end of its domain bends nothing
  return RowVec::of(n(), [&](Index i) {
    if (a[i] == 0 || !std::isfinite(loss.conjugate(a[i] * beyond, y[i]))) return 0.0;
    return loss.curvature(loss.dual_piece(a[i], y[i]).score, y[i], 0, 0, a[i]);
  });
}

RowVec RowLosses::whole(const RowSpan& z) const {
  return RowVec::of(n(), [&](Index i) { return z[i] + offset_of(i); });
}

RowLosses RowLosses::without() const {
  return RowLosses(held, y, omega, free_intercept, over_.team, total_weight);
}

std::array<double, 3> RowLosses::balance_at(const RowSpan& z, const RowSpan& a, double q, double b,
                                            Slopes& at) const {
  dual_steps(z, b, a, q, at);
  return over_.sum([&](Index i) {
    const double t = omega[i] * at.slope[i];
    return std::array<double, 3>{t, omega[i] * at.curvature[i], std::abs(t)};
  });
}

double RowLosses::kink_intercept(const RowSpan& z) const {
  if (over_.any([&](Index i) { return std::isnan(z[i]); })) return 0;  // no order
  std::vector<Rise> rises;
  rises.reserve(static_cast<std::size_t>(n()));
  for (Index i = 0; i < n(); ++i) {
    for (const Kink& kink : loss.kinks(y[i])) {
      const double at = kink.at - offset_of(i) - z[i];
      if (omega[i] * kink.rise > 0) rises.push_back({at, omega[i] * kink.rise});
    }
  }
  const double slope = over_.sum([&](Index i) { return omega[i] * loss.slope(leftmost, y[i]); });
  return over_.balance_point(rises, slope, rounding::of_many * std::abs(slope));
}

}  // namespace dualmargin
