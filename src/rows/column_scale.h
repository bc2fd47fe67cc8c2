// The spread of a column: what it is divided by, and where its origin is moved to.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "rows/column_parts.h"

namespace dualmargin {

// Weighted mean and population standard deviation of one column, in two passes over its entries:
// Sums of every stored entry, from which the mean is found, then Deviations of every entry. Rows
// without an entry are zeros, rows without weight are not there. Weights are divided by their total
// W last: whole ones add up without rounding, and a column and its complement have the same
// deviation.
class ColumnSpread {
 public:
  struct Sums {
    Index entries = 0;
    double low = HUGE_VAL, high = -HUGE_VAL, stored = 0;
    Sum sum;

    void add(double weight, double x) {
      ++entries;
      if (!(weight > 0)) return;
      low = std::min(low, x);
      high = std::max(high, x);
      stored += weight;
      sum.add(weight * x);
    }
    void add(const Sums& others) {
      entries += others.entries;
      low = std::min(low, others.low);
      high = std::max(high, others.high);
      stored += others.stored;
      sum.add(others.sum);
    }
  };
  struct Deviations {
    Sum squares, first;

    void add(const Deviations& others) {
      squares.add(others.squares);
      first.add(others.first);
    }
  };

  // rows, and the total of their weights
  ColumnSpread(const Sums& sums, Index rows, double total)
      : low_(sums.low), high_(sums.high), total_(total), full_(sums.entries == rows) {
    rest_ = full_ ? 0.0 : std::max(0.0, total - sums.stored);
    if (rest_ > 1e-12 * total) low_ = std::min(low_, 0.0), high_ = std::max(high_, 0.0);
    middle_ = std::clamp(sums.sum.value() / total, low_, std::max(low_, high_));
    // squares are summed in a power of two near the largest, out of reach of overflow and underflow
    const double far = std::max(high_ - middle_, middle_ - low_);
    if (far > 0 && std::isfinite(far))
      unit_ = std::ldexp(1.0, std::clamp(std::ilogb(far), -1000, 1000));
  }
  void deviate(Deviations& deviations, double weight, double x) const {
    if (weight > 0) add_deviation(deviations, weight, x - middle_);
  }
  // `first` would be zero if the mean were not rounded (T. F. Chan, G. H. Golub and R. J. LeVeque
  // 1983, doi:10.1080/00031305.1983.10483115).
  void find_sd(Deviations deviations) {
    if (rest_ > 0) add_deviation(deviations, rest_, -middle_);
    const double first = deviations.first.value() / total_;
    const double mean_square = deviations.squares.value() / total_;
    const double sd = std::sqrt(std::max(0.0, mean_square - first * first));
    sd_ = low_ < high_ ? unit_ * sd : 0;
  }

  // Zeros that are not stored included.
  double mean() const { return std::isfinite(middle_) ? middle_ : 0; }
  double sd() const { return std::isfinite(sd_) ? sd_ : 0; }
  // Has every row an entry?
  bool full() const { return full_; }

  // A constant column gives 1: nothing to divide by.
  double scale() const { return sd_ > 0 && std::isfinite(sd_) ? sd_ : 1; }

  // Near the mean of a column that is far from the origin for its spread, so that entries minus it
  // have the digits which their sums would lose; 0 for any other. A multiple of a power of two near
  // the deviation: integers stay integers. A column with zeros is not far.
  double centre() const {
    constexpr double far = 10;
    if (!full_ || !std::isfinite(middle_) || !std::isfinite(sd_)) return 0;
    if (!(low_ < high_)) return low_ == high_ ? low_ : 0;
    if (!(std::abs(middle_) > far * sd_) || !(sd_ > 0)) return 0;
    const double unit = std::ldexp(1.0, std::ilogb(sd_));
    const double near = std::nearbyint(middle_ / unit) * unit;
    return std::isfinite(near) ? near : 0;
  }

 private:
  void add_deviation(Deviations& deviations, double weight, double deviation) const {
    const double d = deviation / unit_;
    deviations.squares.add(weight * d * d);
    deviations.first.add(weight * d);
  }

  double low_, high_, total_, rest_ = 0, middle_ = 0, sd_ = 0, unit_ = 1;
  bool full_;
};

// f(j, spread) for all columns: the one definition of their means and scales.
template <class F>
void for_each_spread(const MatrixView& x, const Vec& weights, Team& team, F f) {
  const double total = sum_over(team, x.n, [&](Index i) { return weights[i]; });
  const auto sums = column_parts<ColumnSpread::Sums>(x, team, [&](Index) {
    return [&weights](auto& part, Index i, double v) { part.add(weights[i], v); };
  });
  std::vector<ColumnSpread> spread;
  spread.reserve(sums.size());
  for (const ColumnSpread::Sums& s : sums) spread.emplace_back(s, x.n, total);
  const auto deviations = column_parts<ColumnSpread::Deviations>(x, team, [&](Index j) {
    return [&weights, own = spread[j]](auto& part, Index i, double v) {
      own.deviate(part, weights[i], v);
    };
  });
  for (Index j = 0; j < x.p; ++j) {
    spread[j].find_sd(deviations[j]);
    f(j, spread[j]);
  }
}

inline ColumnSpread spread_of_values(const Vec& values, const Vec& weights, Team& team) {
  std::optional<ColumnSpread> found;
  for_each_spread(MatrixView::of(values), weights, team,
                  [&](Index, const ColumnSpread& spread) { found = spread; });
  return *found;
}

}  // namespace dualmargin
