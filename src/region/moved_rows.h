// The rows of a solved problem as statements on its optimum read them: by the columns' scales, with
// a last coordinate of 1 for a penalised intercept, and where the intercept is free moved to a
// centre, which changes no score x'w + b. Dense rows are moved when they are stored, compressed
// ones at run time: x_i - shift.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "base/kept.h"
#include "rows/row_store.h"
#include "rows/rows.h"

namespace dualmargin::region {

// What is between the user's columns and the rows: coordinate j is (x_j - centre_j) / scale_j.
struct Frame {
  Vec scales, centre;   // centre: of length 0 if the rows stay where they are
  double constant = 0;  // the last coordinate; 0: none

  bool moves() const { return centre.size() > 0; }
  // By which dense rows are moved as they are stored or read, and no others.
  Vec centre_of(bool dense) const {
    return moves() && dense ? centre : Vec(Vec::Zero(scales.size()));
  }
};

// (1/W) sum omega x_j of the user's columns
Vec weighted_means(const MatrixView& x, const Vec& omega);

// One copy of the user's rows in a frame, in memory or in a file: less `shift` they are those of the
// frame.
class Placed {
 public:
  virtual ~Placed() = default;
  virtual Index n() const = 0;
  virtual std::unique_ptr<Storage> storage() const = 0;
  const Vec& shift() const { return shift_; }

 protected:
  // moved: have the rows been moved by what stores or reads them?
  Placed(Index p, const Frame& frame, bool moved);

 private:
  Vec shift_;
};

class StoredRows : public Placed {
 public:
  StoredRows(const MatrixView& x, const Frame& frame);
  StoredRows(const StoredRows&) = delete;

  Index n() const override { return rows_.n(); }
  std::unique_ptr<Storage> storage() const override { return rows_.storage(constant_); }

 private:
  double constant_;
  RowStore rows_;
};

// What rounding can have made of a square that is computed as a difference.
inline double square_above(double square, double rounding) {
  return std::max(square, 0.0) + rounding;
}

class MovedRows {
 public:
  const Rows& rows;
  const Vec& shift;
  const bool shifted;

  MovedRows(const Rows& rows_, const Placed& place);
  // The same with other labels or other weights: what does not depend on them is found once.
  MovedRows(const Rows& rows_, const MovedRows& like)
      : rows(rows_),
        shift(like.shift),
        shifted(like.shifted),
        shift_square_(like.shift_square_),
        squares_(like.squares_),
        sizes_(&rows_.weights == &like.rows.weights ? like.sizes_
                                                    : std::make_shared<Kept<ColumnSizes>>()) {}

  Index n() const { return rows.n(); }
  Index dim() const { return rows.dim(); }

  // x_i'w, sum_i c_i x_i, and of one row
  RowVec multiply(const Vec& w, Tick& tick) const;
  Vec cross(const RowVec& coef, Tick& tick) const;
  double dot(Index i, const Vec& w) const;
  Vec row(Index i) const;

  // |x_i|^2 from above
  const RowVec& squares(Tick& tick) const;
  // |x_i - at|^2 from above, `at` as the moved rows are
  RowVec squared_distances(const Vec& at, Tick& tick) const;
  // What rounding can have done to x_i'w + b, by the entries before the rows were moved; and to
  // what it is compared with.
  RowVec roundings(const Vec& w, double b, Tick& tick) const;
  // ((1/W) sum_i omega_i x_ij^2)^(1/2) of the moved rows, and from above of the rows as they are
  // stored.
  struct ColumnSizes {
    Vec moved, stored;
  };
  const ColumnSizes& column_sizes(Tick& tick) const;
  // The same with shares of other weights.
  ColumnSizes column_sizes(const RowVec& share, Tick& tick) const;

  // sum_i h_i (x_i, 1)(x_i, 1)', without the 1 unless `bordered`; h of any sign.
  Mat gram(const RowVec& h, bool bordered, Tick& tick) const;

  // The operations that a product with row i takes.
  double terms(Index i) const {
    return static_cast<double>(shifted ? dim() : rows.nonzeros(i)) + (shifted ? 1 : 0);
  }

 private:
  static double square(double x) { return x * x; }
  double distance(Index i, const Vec& at, double at_square, double own) const;

  double shift_square_;
  std::shared_ptr<Kept<RowVec>> squares_;
  std::shared_ptr<Kept<ColumnSizes>> sizes_;
};

}  // namespace dualmargin::region
