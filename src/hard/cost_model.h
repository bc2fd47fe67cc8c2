// When the hard family changes from one method to the next, with what a figure rests on, where
// it was measured.
#pragma once

#include <algorithm>

#include "base/numeric.h"
#include "base/pass_seconds.h"

namespace dualmargin::hard {

struct CostModel {
  // Where a rough solution hands over to the active set. Columns: not measured anew. Kernels, the
  // network kernel of 1,500 digits of ten classes to 1e-9, support 1,579: 2.8 s from 1e-2, 2.9 s
  // from 1e-3 and 1e-4, 3.5 s from 1e-6.
  static constexpr double rough_gap = 3e-2, rough_epochs = 50;  // columns
  static constexpr double rough_gap_of_kernel = 1e-4, rough_epochs_of_kernel = 300;
  // A rough solution spares the active set some hundred factorisations of its size, and takes ten
  // dual passes: not where columns have many rows. Seconds of auto with a rough solution and of the
  // active set alone, free intercept, 1e-6: 100,000 x 20 .30 and .085, 50,000 x 100 .34 and .20,
  // 20,000 x 50 .096 and .046; but 5,000 x 500 .64 and .76, with a penalised intercept .31 and .68.
  static bool rough_pays(const seconds::Table& rows) {
    return 10 * rows.visits() < 100 * seconds::cholesky(std::min(rows.rows, rows.columns));
  }
  // The most rows of support of a kernel that the active set begins with: there it takes 2.9 s and
  // SMO to the end 4.7 s; on 2,000 digits of ten classes (rbf, support 2,704) 3.3 s and 3.0 s.
  static constexpr Index few_of_kernel = 2500;
  // Rows of support beyond which the active set gives up, and how many come in at a time.
  static constexpr Index most_support = 3000, batch = 50;
  // Coordinates up to which the span of the support has an orthonormal basis.
  static constexpr Index most_columns_of_basis = 2000;
  // Flops of a factorisation that brings out the last digits of a null combination.
  static constexpr double most_flops_of_null = 1e8;
};

}  // namespace dualmargin::hard
