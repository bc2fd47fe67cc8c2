#include "rows/weighted_gram.h"

#include <algorithm>
#include <cmath>

#include "rows/tiles.h"

namespace dualmargin {

namespace {

// Panel by panel, for rows of all columns, many of them.
void gram_by_tiles(const Storage& x, const std::vector<Index>& rows, const Vec& h,
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

}  // namespace

void add_weighted_gram(const Storage& x, const std::vector<Index>& rows, const Vec& h,
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
  const auto add = [&](Index begin, Index end, Mat& G, Tick& t, Index part, Index parts) {
    const auto batch = static_cast<Index>(std::clamp(std::ldexp(1, 28) / (size + 1), 64.0, 512.0));
    for (Index k = begin; k < end; k += batch) {
      x.add_gram(&rows[k], &h[k], std::min(batch, end - k), map, G, part, parts);
      if (!t.poll()) return;
    }
  };
  const double worth = size <= small ? std::floor(products / (16 * size + 1)) : 1;
  const Index ranges = team.chunks(work, std::clamp(worth, 1.0, 16.0));
  if (ranges > 1) {
    std::vector<Mat> part(static_cast<std::size_t>(ranges));
    const auto fill = [&](Index k, Tick& t) {
      part[k] = Mat::Zero(m, m);
      add(k * count / ranges, (k + 1) * count / ranges, part[k], t, 0, 1);
    };
    team.for_chunks(ranges, fill, tick);
    for (const Mat& G : part) H.triangularView<Eigen::Lower>() += G;
  } else if (x.is_sparse()) {
    const Index threads = std::min<Index>(team.threads(), team.chunks(work));
    const auto fill = [&](Index k, Tick& t) { add(0, count, H, t, k, threads); };
    team.for_chunks(threads, fill, tick);
  } else if (size <= small) {
    add(0, count, H, tick, 0, 1);
  } else {
    gram_by_tiles(x, rows, h, map, H, team, tick);
  }
}

}  // namespace dualmargin
