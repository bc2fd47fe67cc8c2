#include "decide/flip_sums.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "base/rounding.h"
#include "base/slack.h"
#include "base/square.h"
#include "decide/eigenvalues.h"
#include "region/ellipsoid.h"

namespace dualmargin::decide {

LargestSums::LargestSums(std::vector<double> values)
    : values_(std::move(values)), lost_(1 + rounding::of(4 * static_cast<double>(values_.size()))) {
  for (double& v : values_) v = std::isnan(v) ? HUGE_VAL : std::max(v, 0.0);
  std::make_heap(values_.begin(), values_.end());
}

double LargestSums::next() {
  if (!values_.empty()) {
    sum_ += values_.front();
    std::pop_heap(values_.begin(), values_.end());
    values_.pop_back();
  }
  return sum_ * lost_;
}

std::vector<double> largest_sums(const std::vector<double>& values) {
  LargestSums sums(values);
  std::vector<double> all(values.size());
  for (double& sum : all) sum = sums.next();
  return all;
}

std::vector<double> spread_sums(const std::vector<double>& lengths, double sigma) {
  std::vector<double> all = largest_sums(lengths);
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k] = std::min(all[k], sigma * std::sqrt(static_cast<double>(k) + 1));
  }
  return all;
}

double spectral_size(const Mat& gram, double rounding) {
  if (gram.size() == 0) return 0;
  if (!gram.allFinite()) return HUGE_VAL;
  const Vec found = eigenvalues(gram);
  if (found.size() == 0) return HUGE_VAL;
  return std::sqrt(square_above(found.maxCoeff() * rounding::raised_factor, rounding));
}

}  // namespace dualmargin::decide
