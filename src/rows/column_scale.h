// The spread of a column: what it is divided by, and where its origin is moved to.
#pragma once

#include <algorithm>

#include "base/numeric.h"

namespace dualmargin {

// Weighted mean and population standard deviation of one column, in two passes over its entries:
// add() of every stored entry, find_mean(), deviate() of every entry, find_sd(). Rows without an
// entry are zeros, rows without weight are not there. Weights are divided by their total W last:
// whole ones add up without rounding, and a column and its complement have the same deviation.
class ColumnSpread {
 public:
  void add(double weight, double x) {
    ++entries_;
    if (!(weight > 0)) return;
    low_ = std::min(low_, x);
    high_ = std::max(high_, x);
    stored_ += weight;
    sum_.add(weight * x);
  }
  void find_mean(Index rows, double total) {
    total_ = total;
    full_ = entries_ == rows;
    rest_ = full_ ? 0.0 : std::max(0.0, total - stored_);
    if (rest_ > 1e-12 * total) low_ = std::min(low_, 0.0), high_ = std::max(high_, 0.0);
    middle_ = std::clamp(sum_.value() / total, low_, std::max(low_, high_));
    // squares are summed in a power of two near the largest, out of reach of overflow and underflow
    const double far = std::max(high_ - middle_, middle_ - low_);
    if (far > 0 && std::isfinite(far))
      unit_ = std::ldexp(1.0, std::clamp(std::ilogb(far), -1000, 1000));
    if (rest_ > 0) add_deviation(rest_, -middle_);
  }
  void deviate(double weight, double x) {
    if (weight > 0) add_deviation(weight, x - middle_);
  }
  // `first` would be zero if the mean were not rounded (T. F. Chan, G. H. Golub and R. J. LeVeque
  // 1983, doi:10.1080/00031305.1983.10483115).
  void find_sd() {
    const double first = first_.value() / total_;
    const double sd = std::sqrt(std::max(0.0, squares_.value() / total_ - first * first));
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
  void add_deviation(double weight, double deviation) {
    const double d = deviation / unit_;
    squares_.add(weight * d * d);
    first_.add(weight * d);
  }

  Index entries_ = 0;
  double low_ = HUGE_VAL, high_ = -HUGE_VAL, stored_ = 0, total_ = 0, rest_ = 0, middle_ = 0,
         sd_ = 0;
  double unit_ = 1;
  bool full_ = false;
  Sum sum_, squares_, first_;
};

// Of a column whose entries each(f) visits, f(i, x_ij). total: of the weights.
template <class Each>
ColumnSpread column_spread(const Vec& weights, double total, Each each) {
  ColumnSpread spread;
  each([&](Index i, double x) { spread.add(weights[i], x); });
  spread.find_mean(weights.size(), total);
  each([&](Index i, double x) { spread.deviate(weights[i], x); });
  spread.find_sd();
  return spread;
}

}  // namespace dualmargin
