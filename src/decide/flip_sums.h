// What any k of n numbers sum to at most, and the largest singular value of n vectors.
#pragma once

#include <vector>

#include "base/numeric.h"

namespace dualmargin::decide {

// A matrix of more rows is not decomposed.
constexpr Index largest_spectrum = 500;

// The sums of the k largest, from 0 up, for k = 1, 2, ... in turn; what is no number bounds nothing.
class LargestSums {
 public:
  explicit LargestSums(std::vector<double> values);
  double next();

 private:
  std::vector<double> values_;
  double lost_, sum_ = 0;
};

std::vector<double> largest_sums(const std::vector<double>& values);

// Of lengths of vectors whose largest singular value is sigma.
std::vector<double> spread_sums(const std::vector<double>& lengths, double sigma);

// Of vectors with this sum of v v', from above. rounding: of its eigenvalues, beside that of the
// decomposition.
double spectral_size(const Mat& gram, double rounding);

}  // namespace dualmargin::decide
