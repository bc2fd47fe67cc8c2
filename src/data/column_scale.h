// The scale by which a column is divided.
#pragma once

#include <algorithm>

#include "core/numeric.h"

namespace dualmargin {

// Weighted population standard deviation of one column, from its entries (i, value); rows without
// an entry are zeros. A constant column gives 1: nothing to divide by.
class ColumnScale {
 public:
  explicit ColumnScale(const Vec& weights) : weights_(weights), total_(weights.sum()) {}

  template <class Each>  // each(f) calls f(i, x_ij) for every stored entry
  double operator()(Each each) const {
    double low = HUGE_VAL, high = -HUGE_VAL, stored = 0;
    Sum sum;
    each([&](Index i, double x) {
      if (!(weights_[i] > 0)) return;
      low = std::min(low, x);
      high = std::max(high, x);
      stored += weights_[i];
      sum.add(weights_[i] * x);
    });
    const double rest = std::max(0.0, total_ - stored), mean = sum.value() / total_;
    if (rest > 1e-12 * total_) low = std::min(low, 0.0), high = std::max(high, 0.0);
    if (!(low < high)) return 1;
    Sum squares;
    squares.add(rest * mean * mean);
    each([&](Index i, double x) { squares.add(weights_[i] * (x - mean) * (x - mean)); });
    const double sd = std::sqrt(squares.value() / total_);
    return sd > 0 && std::isfinite(sd) ? sd : 1;
  }

 private:
  const Vec& weights_;
  double total_;
};

}  // namespace dualmargin
