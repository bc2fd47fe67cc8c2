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

// H += sum_k h_k x_r x_r', r = rows[k], in its lower triangle, on the coordinates j with
// map[j] >= 0 at place map[j]: panel by panel, for dense rows of many coordinates.
template <class Data>
void gram_by_tiles(const Data& x, const std::vector<Index>& rows, const Vec& h,
                   const std::vector<Index>& map, Mat& H, Team& team, Tick& tick) {
  const auto count = static_cast<Index>(rows.size()), m = H.rows(),
             depth = std::min<Index>(512, count);
  Mat plain(m, depth), scaled(m, depth);
  for (Index first = 0; first < count; first += depth) {
    const Index filled = std::min(depth, count - first);
    const Index chunks = team.chunks(static_cast<double>(m * filled));
    team.for_chunks(chunks, [&](Index k) {
      for (Index c = k * filled / chunks; c < (k + 1) * filled / chunks; ++c) {
        x.for_each(rows[first + c], [&](Index j, double v) {
          if (map[j] >= 0) plain(map[j], c) = v;
        });
        scaled.col(c) = h[first + c] * plain.col(c);
      }
    });
    add_tiles(scaled, plain, filled, H, team, tick);
    if (!tick.poll()) return;
  }
}

}  // namespace dualmargin
