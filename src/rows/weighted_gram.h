// sum_k h_k x_r x_r' of rows on the threads of a team.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "rows/tiles.h"

namespace dualmargin {

// H += sum_k h_k x_r x_r', r = rows[k], in the lower triangle, on the coordinates j with
// map[j] >= 0 at place map[j]; of no use once the time is over. A matrix for each range of rows where
// these are small beside the work; else the threads share H.
template <class Data>
void add_weighted_gram(const Data& x, const std::vector<Index>& rows, const Vec& h,
                       const std::vector<Index>& map, Mat& H, Team& team, Tick& tick) {
  constexpr double small = 131072;  // products of coordinates
  const auto count = static_cast<Index>(rows.size()), m = H.rows();
  const double size = static_cast<double>(m) * static_cast<double>(m);
  double products = 0;
  for (const Index i : rows) {
    const auto entries = static_cast<double>(std::min(m, x.nonzeros(i)));
    products += 0.5 * entries * entries;
  }
  const double work = products / 4;  // some products take as long as one entry of a pass
  const auto add = [&](Index begin, Index end, Mat& G, Tick& t, auto... share) {
    const auto batch = static_cast<Index>(std::clamp(std::ldexp(1, 28) / (size + 1), 64.0, 512.0));
    for (Index k = begin; k < end; k += batch) {
      x.add_gram(&rows[k], &h[k], std::min(batch, end - k), map, G, share...);
      if (!t.poll()) return;
    }
  };
  const double worth = size <= small ? std::floor(products / (16 * size + 1)) : 1;
  const Index parts = team.chunks(work, std::clamp(worth, 1.0, 16.0));
  if (parts > 1) {
    std::vector<Mat> part(static_cast<std::size_t>(parts));
    const auto fill = [&](Index k, Tick& t) {
      part[k] = Mat::Zero(m, m);
      add(k * count / parts, (k + 1) * count / parts, part[k], t);
    };
    team.for_chunks(parts, fill, tick);
    for (const Mat& G : part) H.template triangularView<Eigen::Lower>() += G;
  } else if constexpr (Data::compressed) {
    const Index threads = std::min<Index>(team.threads(), team.chunks(work));
    const auto fill = [&](Index k, Tick& t) { add(0, count, H, t, k, threads); };
    team.for_chunks(threads, fill, tick);
  } else if (size <= small) {
    add(0, count, H, tick);
  } else {
    gram_by_tiles(x, rows, h, map, H, team, tick);
  }
}

}  // namespace dualmargin
