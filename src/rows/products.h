// Products of rows with one another. Those of coordinates, sum_i h_i x_i x_i', are Rows::gram.
#pragma once

#include <numeric>

#include "rows/rows.h"

namespace dualmargin {

// x_r' diag(metric) x_s for the rows r and s named, in the lower triangle; of no use once the time
// is over. An empty metric is one of ones. All rows lie in this process.
template <class Data>
Mat row_products(const Rows<Data>& rows, const std::vector<Index>& some, const Vec& metric,
                 Tick& tick) {
  const auto m = static_cast<Index>(some.size());
  const bool plain = metric.size() == 0;
  if constexpr (std::is_same_v<Data, Dense>) {
    constexpr Index depth = 256;
    const Index p = rows.dim() - (rows.bias() != 0);
    const double bias = rows.bias(), constant = bias * bias * (plain || bias == 0 ? 1 : metric[p]);
    Mat K = Mat::Constant(m, m, constant), panel(m, depth), scaled(plain ? 0 : m, depth);
    for (Index first = 0; first < p; first += depth) {
      const Index filled = std::min(depth, p - first);
      const Index chunks = rows.team.chunks(static_cast<double>(m * filled));
      rows.team.for_chunks(chunks, [&](Index part) {
        for (Index k = part * m / chunks; k < (part + 1) * m / chunks; ++k) {
          const auto fill = [&](Index j, double v) { panel(k, j - first) = v; };
          rows.for_each_of(some[k], first, first + filled, fill);
        }
      });
      if (!plain) {
        scaled.leftCols(filled) =
            panel.leftCols(filled) * metric.segment(first, filled).asDiagonal();
      }
      add_tiles(plain ? panel : scaled, panel, filled, K, rows.team, tick);
      if (!tick.poll()) break;
    }
    return K;
  } else {
    // Eight rows at a time, their coordinates side by side: every row is then fetched an eighth
    // as often, and long rows are no longer in the cache when they are next asked for.
    constexpr Index width = 8;
    Mat K(m, m);
    const Index panels = (m + width - 1) / width;
    const double work = 0.5 * static_cast<double>(panels) * rows.nonzeros();
    const Index chunks = rows.team.chunks(work, std::clamp(static_cast<double>(panels), 1.0, 16.0));
    const Pass<Data> pass = rows.pass();
    const auto fill = [&](Index chunk, Tick& t) {
      Eigen::Matrix<double, width, Eigen::Dynamic> panel =
          Eigen::Matrix<double, width, Eigen::Dynamic>::Zero(width, rows.dim());
      for (Index j = chunk * width; j < m; j += chunks * width) {
        const Index count = std::min(width, m - j);
        for (Index c = 0; c < count; ++c) {
          rows.for_each(some[j + c], [&](Index k, double v) {
            panel(c, k) = pass.divided(k, plain ? v : v * metric[k]);
          });
        }
        for (Index i = j; i < m; ++i) {
          Eigen::Matrix<double, width, 1> sums = Eigen::Matrix<double, width, 1>::Zero();
          pass.for_each(rows.at(some[i]), [&](Index k, double v) { sums += v * panel.col(k); });
          for (Index c = 0; c < count; ++c) K(i, j + c) = sums[c];
        }
        for (Index c = 0; c < count; ++c) {
          rows.for_each(some[j + c], [&](Index k, double) { panel(c, k) = 0; });
        }
        if (!t.poll()) return;
      }
    };
    rows.team.for_chunks(chunks, fill, tick);
    return K;
  }
}
// x_r'x_s for them, and x_i' diag(metric) x_j for all rows
template <class Data>
Mat row_products(const Rows<Data>& rows, const std::vector<Index>& some, Tick& tick) {
  return row_products(rows, some, Vec(), tick);
}
template <class Data>
Mat row_products(const Rows<Data>& rows, const Vec& metric, Tick& tick) {
  std::vector<Index> all(static_cast<std::size_t>(rows.n()));
  std::iota(all.begin(), all.end(), Index{0});
  return row_products(rows, all, metric, tick);
}

}  // namespace dualmargin
