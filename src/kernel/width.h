// The width of a kernel where none is given, by the median heuristic: the weighted median of the
// squared distances between distinct rows. Up to 2,000 rows all their pairs are taken, of more rows
// those of 2,000, in the order of a hash of their values.
#pragma once

#include "kernel/arguments.h"
#include "rows/matrix_view.h"

namespace dualmargin::kernel {

// x: the rows as they were given. 1 where all are equal. A pass that is finished in any case.
double median_squared_distance(const Arguments& distances, const MatrixView& x, const Vec& weights,
                               Tick& tick);

}  // namespace dualmargin::kernel
