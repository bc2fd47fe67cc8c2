// The eigenvalues of a symmetric matrix, and an inverse, whose solvers are compiled once.
#pragma once

#include "base/numeric.h"

namespace dualmargin::decide {

// In any order; none where they are not found.
Vec eigenvalues(const Mat& symmetric);

// Infinite where they are not found.
double largest_eigenvalue(const Mat& symmetric);
Mat inverse_of(const Mat& square);

inline double largest_eigenvalue(const Eigen::Matrix<double, 1, 1>& number) { return number[0]; }
inline Eigen::Matrix<double, 1, 1> inverse_of(const Eigen::Matrix<double, 1, 1>& number) {
  return number.cwiseInverse();
}

}  // namespace dualmargin::decide
