// What rows keep of what was found of them once.
#pragma once

#include <vector>

#include "base/kept.h"
#include "rows/rows.h"

namespace dualmargin {

// Of the rows here, or of those of all ranks.
struct Rows::Entries {
  double total = 0, longest = 0, rows = 0;
};
struct Rows::Known {
  Kept<RowVec> squares, lengths;
  Kept<RowVec> squares_above[2];  // of the rows as they are stored, and as they are moved
  Kept<Entries> here, everywhere;
  Kept<std::vector<Index>> ranges, wide_ranges;
};
struct Rows::Weighed {
  Kept<double> total;
  Kept<Vec> column_norms;
  Kept<ColumnSizes> sizes[2];
};

}  // namespace dualmargin
