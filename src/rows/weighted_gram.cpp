#include "rows/weighted_gram.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dualmargin {

namespace {

constexpr Index batch = 512, narrow = 64;  // rows

struct WeightedRows {
  const Storage& x;
  const Index* rows;
  const double* h;
  const std::vector<Index>& map;
};

// Of rows that have all columns: panels of rows times the root of |h|, of either sign, so that the
// product runs at the speed of a matrix product.
void add_panels(const WeightedRows& of, Index begin, Index end, Index depth, Mat& H, Team& team,
                Tick& tick) {
  Mat panel(H.rows(), std::min(depth, end - begin)), turned;
  std::vector<Index> used;
  const auto flush = [&](double sign) {
    const auto filled = static_cast<Index>(used.size());
    if (filled == 0) return;
    const Index chunks = team.chunks(static_cast<double>(H.rows() * filled));
    team.for_chunks(chunks, [&](Index chunk) {
      for (Index c = chunk * filled / chunks; c < (chunk + 1) * filled / chunks; ++c) {
        const double scale = std::sqrt(sign * of.h[used[c]]);
        of.x.for_each(of.rows[used[c]], [&](Index j, double v) {
          if (of.map[j] >= 0) panel(of.map[j], c) = scale * v;
        });
      }
    });
    if (sign < 0) turned = -panel;
    add_tiles(sign < 0 ? turned : panel, panel, filled, H, team, tick);
    used.clear();
  };
  for (Index first = begin; first < end; first += batch) {
    for (const double sign : {1.0, -1.0}) {
      for (Index k = first; k < std::min(end, first + batch); ++k) {
        if (!(sign * of.h[k] > 0)) continue;
        used.push_back(k);
        if (static_cast<Index>(used.size()) == depth) flush(sign);
      }
      flush(sign);
    }
    if (!tick.poll()) return;
  }
}

// Of rows of some columns, one outer product a row; `map` keeps the order of the columns, so that only
// the lower triangle is hit. Of `parts` threads with the same rows each fills every parts-th column.
void add_entries(const WeightedRows& of, Index begin, Index end, Mat& H, Index part, Index parts,
                 Tick& tick) {
  const double size = static_cast<double>(H.size());
  const auto often = static_cast<Index>(std::clamp(std::ldexp(1, 28) / (size + 1), 64.0, 512.0));
  std::vector<std::pair<Index, double>> entries;
  for (Index k = begin; k < end; ++k) {
    if ((k - begin) % often == 0 && !tick.poll()) return;
    if (of.h[k] == 0) continue;
    entries.clear();
    of.x.for_each(of.rows[k], [&](Index j, double v) {
      if (of.map[j] >= 0) entries.emplace_back(of.map[j], v);
    });
    for (std::size_t s = 0; s < entries.size(); ++s) {
      if (parts > 1 && entries[s].first % parts != part) continue;
      double* column = H.data() + entries[s].first * H.rows();
      const double scaled = of.h[k] * entries[s].second;
      for (std::size_t t = s; t < entries.size(); ++t) {
        column[entries[t].first] += scaled * entries[t].second;
      }
    }
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
  const double worth = size <= small ? std::floor(products / (16 * size + 1)) : 1;
  const Index ranges = team.chunks(work, std::clamp(worth, 1.0, 16.0));
  const WeightedRows of{x, rows.data(), h.data(), map};
  if (ranges > 1) {
    std::vector<Mat> part(static_cast<std::size_t>(ranges));
    const auto fill = [&](Index k, Tick& t) {
      const Index begin = k * count / ranges, end = (k + 1) * count / ranges;
      part[k] = Mat::Zero(m, m);
      if (x.is_sparse()) {
        add_entries(of, begin, end, part[k], 0, 1, t);
      } else {
        add_panels(of, begin, end, narrow, part[k], team, t);
      }
    };
    team.for_chunks(ranges, fill, tick);
    for (const Mat& G : part) H.triangularView<Eigen::Lower>() += G;
  } else if (x.is_sparse()) {
    const Index threads = std::min<Index>(team.threads(), team.chunks(work));
    const auto fill = [&](Index k, Tick& t) { add_entries(of, 0, count, H, k, threads, t); };
    team.for_chunks(threads, fill, tick);
  } else {
    Team alone;
    const bool few = size <= small;
    add_panels(of, 0, count, few ? narrow : batch, H, few ? alone : team, tick);
  }
}

double gram_additions(const Storage& x, double rows) {
  return x.is_sparse() ? rows : batch + rows / narrow + 16;
}

void add_tiles(const Mat& left, const Mat& right, Index filled, Mat& H, Team& team, Tick& tick) {
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
