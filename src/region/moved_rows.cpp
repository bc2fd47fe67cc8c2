#include "region/moved_rows.h"

#include <numeric>
#include <utility>

#include "base/rounding.h"

namespace dualmargin::region {

Vec weighted_means(const MatrixView& x, const Vec& omega) {
  const double total = accurate_sum(x.n, [&](Index i) { return omega[i]; });
  std::vector<Sum> sums(static_cast<std::size_t>(x.p));
  if (x.form == MatrixView::Form::rows) {
    for (Index i = 0; i < x.n; ++i) {
      for (Start k = x.start[i]; k < x.start[i + 1]; ++k) {
        sums[x.index[k]].add(omega[i] * x.real[k]);
      }
    }
  } else {
    for (Index j = 0; j < x.p; ++j) {
      x.column(j, [&](Index i, double v) { sums[j].add(omega[i] * v); });
    }
  }
  return Vec::NullaryExpr(x.p, [&](Index j) { return sums[j].value() / total; });
}

Placed::Placed(Index p, const Frame& frame, bool moved)
    : shift_(Vec::Zero(p + (frame.constant != 0))) {
  if (frame.moves() && !moved) shift_.head(p) = frame.centre.cwiseQuotient(frame.scales);
}

StoredRows::StoredRows(const MatrixView& x, const Frame& frame)
    : Placed(x.p, frame, x.form == MatrixView::Form::dense),
      constant_(frame.constant),
      rows_(x, frame.centre_of(x.form == MatrixView::Form::dense), frame.scales) {}

MovedRows::MovedRows(const Rows& rows_, const Placed& place)
    : rows(rows_),
      shift(place.shift()),
      shifted(!place.shift().isZero(0)),
      shift_square_(shift.squaredNorm()),
      squares_(std::make_shared<Kept<RowVec>>()),
      sizes_(std::make_shared<Kept<ColumnSizes>>()) {}

RowVec MovedRows::multiply(const Vec& w, Tick& tick) const {
  RowVec z = rows.multiply(w, tick);
  if (shifted) z -= shift.dot(w);
  return z;
}

Vec MovedRows::cross(const RowVec& coef, Tick& tick) const {
  Vec u = rows.transpose_multiply(coef, tick);
  if (shifted) u -= shift * rows.sum([&](Index i) { return coef[i]; });
  return u;
}

double MovedRows::dot(Index i, const Vec& w) const {
  const double z = rows.dot(i, w);
  return shifted ? z - shift.dot(w) : z;
}

Vec MovedRows::row(Index i) const {
  Vec x = -shift;
  rows.for_each(i, [&](Index j, double v) { x[j] += v; });
  return x;
}

const RowVec& MovedRows::squares(Tick& tick) const {
  return squares_->get([&] {
    const RowVec& own = rows.squared_norms();
    RowVec above(n());
    const RowVec along = shifted ? rows.multiply(shift, tick) : RowVec::Zero(n());
    for (Index i = 0; i < n(); ++i) {
      const double lost = rounding::of(terms(i) + 4);
      above[i] = shifted ? square_above(own[i] - 2 * along[i] + shift_square_,
                                        2 * lost * (own[i] + shift_square_))
                         : own[i] * (1 + lost);
    }
    return above;
  });
}

RowVec MovedRows::squared_distances(const Vec& at, Tick& tick) const {
  const RowVec& own = squares(tick);
  RowVec squares(n());
  const double at_square = at.squaredNorm();
  rows.for_ranges(
      [&](Index begin, Index end, Tick& t) {
        for (Index i = begin; i < end; ++i, t.row(i))
          squares[i] = distance(i, at, at_square, own[i]);
      },
      tick);
  return squares;
}

RowVec MovedRows::roundings(const Vec& w, double b, Tick& tick) const {
  const Vec size = w.cwiseAbs();
  const double moved = shifted ? shift.cwiseAbs().dot(size) : 0.0;
  RowVec lost(n());
  rows.for_ranges(
      [&](Index begin, Index end, Tick& t) {
        for (Index i = begin; i < end; ++i, t.row(i)) {
          double sum = 0;
          rows.for_each(i, [&](Index j, double v) { sum += std::abs(v) * size[j]; });
          lost[i] = rounding::of(2 * (terms(i) + 3)) * (sum + moved + std::abs(b));
        }
      },
      tick);
  return lost;
}

const MovedRows::ColumnSizes& MovedRows::column_sizes(Tick& tick) const {
  return sizes_->get([&] { return column_sizes(rows.weights / rows.total_weight, tick); });
}

MovedRows::ColumnSizes MovedRows::column_sizes(const RowVec& share, Tick& tick) const {
  const Vec squares = rows.column_squares(share, tick);
  ColumnSizes sizes{squares, squares.cwiseSqrt() + shift.cwiseAbs()};
  if (shifted) {
    const Vec mean = rows.transpose_multiply(share, tick);
    const double lost = rounding::of(2 * (rows.additions() + 8));
    for (Index j = 0; j < dim(); ++j) {
      sizes.moved[j] = square_above(squares[j] - 2 * shift[j] * mean[j] + square(shift[j]),
                                    lost * (squares[j] + square(shift[j])));
    }
  }
  sizes.moved = sizes.moved.cwiseSqrt() * (1 + 1e-10);
  return sizes;
}

Mat MovedRows::gram(const RowVec& h, bool bordered, Tick& tick) const {
  const Index d = dim();
  Mat H = Mat::Zero(d, d);
  std::vector<Index> all(static_cast<std::size_t>(n())), map(static_cast<std::size_t>(d));
  std::iota(all.begin(), all.end(), Index(0));
  std::iota(map.begin(), map.end(), Index(0));
  rows.gram(all, h.local(), map, H, tick);
  H.template triangularView<Eigen::StrictlyUpper>() = H.transpose();
  if (!shifted && !bordered) return H;
  Vec sums = rows.transpose_multiply(h, tick);
  const double total = rows.sum([&](Index i) { return h[i]; });
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

double MovedRows::distance(Index i, const Vec& at, double at_square, double own) const {
  if (!rows.storage().is_sparse()) {
    double sum = 0;
    rows.for_each(i, [&](Index j, double v) { sum += square(v - at[j]); });
    return sum * (1 + rounding::of(terms(i) + 6));
  } else {
    const double along = dot(i, at);
    return square_above(own - 2 * along + at_square,
                        rounding::of(2 * (terms(i) + 6)) * (own + at_square + 2 * shift_square_));
  }
}

}  // namespace dualmargin::region
