// Which class has the largest optimal score for certain, by intervals of scores: a score of 0 is
// the second of two classes; of several classes the largest, the first of equal ones.
#pragma once

#include <vector>

#include "region/region.h"

namespace dualmargin::region {

// The class (0, 1, ...) of row i, or -1.
Index certain_class(const std::vector<Ends>& ends, Index i);

std::vector<Index> open_rows(const std::vector<Ends>& ends);

}  // namespace dualmargin::region
