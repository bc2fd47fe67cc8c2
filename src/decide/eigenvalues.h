// The eigenvalues of a symmetric matrix, whose solver is compiled once.
#pragma once

#include "base/numeric.h"

namespace dualmargin::decide {

// In any order; none where they are not found.
Vec eigenvalues(const Mat& symmetric);

}  // namespace dualmargin::decide
