// Products of matrices, tile by tile, on the threads of a team.
#pragma once

#include <algorithm>
#include <vector>

#include "base/team.h"

namespace dualmargin {

// H += left right' in its lower triangle, of the first `filled` columns of both.
inline void add_tiles(const Mat& left, const Mat& right, Index filled, Mat& H, Team& team,
                      Tick& tick) {
  const Index m = H.rows(), width = std::clamp<Index>(m / 8, 64, 256);
  const auto tile = [&](Index k, Tick&) {
    const Index start = k * width, columns = std::min(width, m - start);
    const Index rest = m - start - columns;
    const auto side = right.block(start, 0, columns, filled).transpose();
    H.block(start, start, columns, columns).triangularView<Eigen::Lower>() +=
        left.block(start, 0, columns, filled) * side;
    H.block(start + columns, start, rest, columns).noalias() +=
        left.block(start + columns, 0, rest, filled) * side;
  };
  team.for_chunks((m + width - 1) / width, tile, tick);
}

}  // namespace dualmargin
