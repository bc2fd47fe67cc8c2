// What any k of n numbers sum to at most, and the largest singular value of n vectors.
#pragma once

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "base/rounding.h"
#include "region/moved_rows.h"

namespace dualmargin::decide {

// A matrix of more rows is not decomposed.
constexpr Index largest_spectrum = 500;

// The sums of the k largest, from 0 up, for k = 1, 2, ... in turn; what is no number bounds nothing.
class LargestSums {
 public:
  explicit LargestSums(std::vector<double> values)
      : values_(std::move(values)),
        lost_(1 + rounding::of(4 * static_cast<double>(values_.size()))) {
    for (double& v : values_) v = std::isnan(v) ? HUGE_VAL : std::max(v, 0.0);
    std::make_heap(values_.begin(), values_.end());
  }
  double next() {
    if (!values_.empty()) {
      sum_ += values_.front();
      std::pop_heap(values_.begin(), values_.end());
      values_.pop_back();
    }
    return sum_ * lost_;
  }

 private:
  std::vector<double> values_;
  double lost_, sum_ = 0;
};

inline std::vector<double> largest_sums(const std::vector<double>& values) {
  LargestSums sums(values);
  std::vector<double> all(values.size());
  for (double& sum : all) sum = sums.next();
  return all;
}

// Of lengths of vectors whose largest singular value is sigma.
inline std::vector<double> spread_sums(const std::vector<double>& lengths, double sigma) {
  std::vector<double> all = largest_sums(lengths);
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k] = std::min(all[k], sigma * std::sqrt(static_cast<double>(k) + 1));
  }
  return all;
}

// Of vectors with this sum of v v', from above. rounding: of its eigenvalues, beside that of the
// decomposition.
inline double spectral_size(const Mat& gram, double rounding) {
  if (gram.size() == 0) return 0;
  if (!gram.allFinite()) return HUGE_VAL;
  const Eigen::SelfAdjointEigenSolver<Mat> found(gram, Eigen::EigenvaluesOnly);
  if (found.info() != Eigen::Success) return HUGE_VAL;
  return std::sqrt(region::square_above(found.eigenvalues().maxCoeff() * (1 + 1e-8), rounding));
}

}  // namespace dualmargin::decide
