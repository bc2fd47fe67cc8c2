#include "kernel/width.h"

#include <algorithm>

#include "rows/distinct_rows.h"
#include "rows/row_sums.h"

namespace dualmargin::kernel {

namespace {

double median_squared_distance(const Arguments& distances, WeightedRows rows, Tick& tick) {
  constexpr Index tile = 32;  // rows at a time, so that they stay in cache
  const Index m = rows.size(), tiles = (m + tile - 1) / tile;
  if (m < 2) return 1;
  // weights of all sizes, whose products are to stay numbers
  rows.weight = (rows.weight / rows.weight.maxCoeff()).cwiseMax(1e-150);
  std::vector<Rise> pairs(static_cast<std::size_t>(m * (m - 1) / 2));
  distances.team.for_chunks(
      tiles,
      [&](Index t, Tick& own) {
        const Index end = std::min(m, (t + 1) * tile);
        for (Index begin = 0; begin < end; begin += tile, own.look()) {
          for (Index i = t * tile; i < end; ++i) {
            Rise* pair = pairs.data() + i * (i - 1) / 2;
            for (Index j = begin; j < std::min(i, begin + tile); ++j) {
              pair[j] = {distances.value(rows.row[i], rows.row[j]),
                         rows.weight[i] * rows.weight[j]};
            }
          }
        }
      },
      tick);
  const auto equal = [](const Rise& pair) { return !(pair.at > 0); };
  pairs.erase(std::remove_if(pairs.begin(), pairs.end(), equal), pairs.end());
  if (pairs.empty()) return 1;
  const RowSums sums(static_cast<Index>(pairs.size()), distances.team);
  const double total = sums.sum([&](Index k) { return pairs[k].by; });
  return sums.balance_point(pairs, -0.5 * total, 1e-12 * total);
}

}  // namespace

double median_squared_distance(const Arguments& distances, const MatrixView& x, const Vec& weights,
                               Tick& tick) {
  constexpr Index most = 2000;
  const DistinctRows rows(x, weights, distances.team, tick);
  return median_squared_distance(distances, rows.some(most), tick);
}

}  // namespace dualmargin::kernel
