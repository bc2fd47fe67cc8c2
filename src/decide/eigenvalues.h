// The eigenvalues of a symmetric matrix, whose solver is compiled once.
#pragma once

#include "base/numeric.h"

namespace dualmargin::decide {

// In any order; none where they are not found.
Vec eigenvalues(const Mat& symmetric);

// Infinite where they are not found.
double largest_eigenvalue(const Mat& symmetric);
inline double largest_eigenvalue(const Eigen::Matrix<double, 1, 1>& number) { return number.value(); }

}  // namespace dualmargin::decide
