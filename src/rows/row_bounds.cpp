#include <numeric>

#include "base/rounding.h"
#include "base/square.h"
#include "rows/known_rows.h"

namespace dualmargin {

Vec Rows::row(Index i) const {
  Vec x = -shift;
  for_each(i, [&](Index j, double v) { x[j] += v; });
  return x;
}

const RowVec& Rows::squares(Tick& tick) const {
  return known_->squares_above[shifted].get([&] {
    const RowVec& own = squared_norms();
    RowVec above(n());
    const RowVec along = shifted ? unmoved().multiply(shift, tick) : RowVec::Zero(n());
    const double by = shift.squaredNorm();
    for (Index i = 0; i < n(); ++i) {
      const double lost = rounding::of(terms(i) + 4);
      above[i] = shifted ? square_above(own[i] - 2 * along[i] + by, 2 * lost * (own[i] + by))
                         : own[i] * (1 + lost);
    }
    return above;
  });
}

RowVec Rows::squared_distances(const Vec& at, Tick& tick) const {
  const RowVec& own = squares(tick);
  const double square = at.squaredNorm(), by = shift.squaredNorm();
  const auto distance = [&](Index i) {
    if (x_.is_sparse()) {
      return square_above(own[i] - 2 * dot(i, at) + square,
                          rounding::of(2 * (terms(i) + 6)) * (own[i] + square + 2 * by));
    }
    double sum = 0;
    for_each(i, [&](Index j, double v) {
      const double d = v - shift[j] - at[j];
      sum += d * d;
    });
    return sum * (1 + rounding::of(terms(i) + 6));
  };
  RowVec squares(n());
  for_ranges(
      [&](Index begin, Index end, Tick& t) {
        for (Index i = begin; i < end; ++i, t.row(i)) squares[i] = distance(i);
      },
      tick);
  return squares;
}

RowVec Rows::roundings(const Vec& w, double b, Tick& tick) const {
  const Vec size = w.cwiseAbs();
  const double moved = shifted ? shift.cwiseAbs().dot(size) : 0.0;
  RowVec lost(n());
  for_ranges(
      [&](Index begin, Index end, Tick& t) {
        for (Index i = begin; i < end; ++i, t.row(i)) {
          double sum = 0;
          for_each(i, [&](Index j, double v) { sum += std::abs(v) * size[j]; });
          lost[i] = rounding::of(2 * (terms(i) + 3)) * (sum + moved + std::abs(b));
        }
      },
      tick);
  return lost;
}

const Rows::ColumnSizes& Rows::column_sizes(Tick& tick) const {
  return weighed_->sizes[shifted].get([&] { return column_sizes(weights / total_weight, tick); });
}

Rows::ColumnSizes Rows::column_sizes(const RowVec& share, Tick& tick) const {
  const Vec squares = column_squares(share, tick);
  ColumnSizes sizes{squares, squares.cwiseSqrt() + shift.cwiseAbs()};
  if (shifted) {
    const Vec mean = unmoved().transpose_multiply(share, tick);
    const double lost = rounding::of(2 * (additions() + 8));
    for (Index j = 0; j < dim(); ++j) {
      const double by = shift[j] * shift[j];
      sizes.moved[j] =
          square_above(squares[j] - 2 * shift[j] * mean[j] + by, lost * (squares[j] + by));
    }
  }
  sizes.moved = sizes.moved.cwiseSqrt() * (1 + rounding::safe_length);
  return sizes;
}

Mat Rows::gram(const RowVec& h, bool bordered, Tick& tick) const {
  const Index d = dim();
  Mat H = Mat::Zero(d, d);
  std::vector<Index> all(static_cast<std::size_t>(n())), map(static_cast<std::size_t>(d));
  std::iota(all.begin(), all.end(), Index(0));
  std::iota(map.begin(), map.end(), Index(0));
  gram(all, h.local(), map, H, tick);
  H.triangularView<Eigen::StrictlyUpper>() = H.transpose();
  if (!shifted && !bordered) return H;
  Vec sums = unmoved().transpose_multiply(h, tick);
  const double total = sum([&](Index i) { return h[i]; });
  if (shifted) {
    H += total * shift * shift.transpose() - shift * sums.transpose() - sums * shift.transpose();
    sums -= total * shift;
  }
  if (!bordered) return H;
  Mat G(d + 1, d + 1);
  G.topLeftCorner(d, d) = H;
  G.col(d).head(d) = sums;
  G.row(d).head(d) = sums.transpose();
  G(d, d) = total;
  return G;
}

}  // namespace dualmargin
