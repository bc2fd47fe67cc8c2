// When the hard family changes from one method to the next, each figure with what it rests on.
#pragma once

#include "base/numeric.h"

namespace dualmargin::hard {

struct CostModel {
  // Where a rough solution hands over to the active set.
  static constexpr double rough_gap = 3e-2, rough_epochs = 50;  // columns
  static constexpr double rough_gap_of_kernel = 1e-6;
  // The most rows of support of a kernel that the active set begins with.
  static constexpr Index few_of_kernel = 1500;
  // Rows of support beyond which the active set gives up, and how many come in at a time.
  static constexpr Index most_support = 3000, batch = 50;
  // Coordinates up to which the span of the support has an orthonormal basis.
  static constexpr Index most_columns_of_basis = 2000;
  // Flops of a factorisation that brings out the last digits of a null combination.
  static constexpr double most_flops_of_null = 1e8;
};

}  // namespace dualmargin::hard
