// Centre and scale of the columns of rows that are used where they lie: the coordinate of an entry
// v of column j is (v - centre_j) / scale_j, whenever it is asked for.
#pragma once

#include <memory>
#include <vector>

#include "base/numeric.h"

namespace dualmargin {

struct ColumnFrame {
  // Columns begin, ..., end - 1 that all are read with their centres, or that have none.
  struct Run {
    Index begin, end;
    bool moved;
  };
  const double* centre = nullptr;  // null: none; zero for a column with entries that are not stored
  const double* scale = nullptr;   // null: none
  // May a pass divide weights, and what it sums by columns, by the scales? Not where products of
  // them with entries in the unit of the column could leave the range of double precision.
  bool by_pass = false;
  std::shared_ptr<const std::vector<Run>> runs;  // where there are centres

  ColumnFrame() = default;
  ColumnFrame(const Vec& centres, const Vec& scales);
  bool none() const { return centre == nullptr && scale == nullptr; }
  double of(Index j, double v) const {
    const double moved = centre != nullptr ? v - centre[j] : v;
    return scale != nullptr ? moved / scale[j] : moved;
  }
};

// A pass divides weights by scales once, and sums by columns at their end, so that a scale costs
// nothing an entry. A centre is taken from each entry: from a product it would take the digits of
// rows far from the origin.
class PassScale {
 public:
  PassScale(const ColumnFrame& frame, Index columns);
  PassScale(const PassScale&) = delete;

  // What is left to be applied to each entry.
  const ColumnFrame& left() const { return left_; }

  // w: of `size` coordinates; null where rows are only added up.
  void take(const double* w, Index size);
  const double* weights() const { return w_; }

  Vec divided(Vec sums) const;
  double divided(Index j, double v) const {
    return scale_ != nullptr && j < columns_ ? v / scale_[j] : v;
  }

 private:
  const double* scale_;  // null: nothing is divided
  Index columns_;
  ColumnFrame left_;
  const double* w_ = nullptr;
  Vec own_;  // w / scale
};

class Storage;

// What is between a user's columns and the rows of a solved problem: coordinate j is
// (x_j - centre_j) / scale_j, with a last one of `constant`, unless that is 0. Dense rows are moved
// when they are stored or read, compressed ones as they are used (storage.h).
struct RowFrame {
  Vec scales, centre;  // centre: of length 0 if the rows stay where they are
  double constant = 0;

  bool moves() const { return centre.size() > 0; }
  void assert_columns(Index columns) const;  // an error where its scales are of others
  // Where the moved rows' origin is, in their units.
  Vec offsets() const;
  Vec centre_of(bool dense) const {
    return moves() && dense ? centre : Vec(Vec::Zero(scales.size()));
  }
  // data: of the rows less centre_of(), by the scales
  std::unique_ptr<Storage> moved(std::unique_ptr<Storage> data) const;
};

}  // namespace dualmargin
