// Which rows of a matrix are equal, entry by entry.
#pragma once

#include <vector>

#include "base/tick.h"
#include "rows/storage.h"

namespace dualmargin::decide {

// For each row the first one that is equal to it. data: as the user gave them, without scales.
std::vector<Index> first_equals(const Storage& data, Tick& tick);

}  // namespace dualmargin::decide
