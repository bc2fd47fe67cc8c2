// Weighted Gram matrices sum_i h_i x_i x_i' that follow slowly changing weights. Shared by every
// second-order solver.
#pragma once

#include <vector>

#include "rows/rows.h"

namespace dualmargin {

// H = sum_i h_i x_i x_i' on chosen coordinates, with cross = sum_i h_i x_i and total = sum_i h_i
// for a free intercept. A row is touched again only when its weight has moved: for piecewise
// quadratic losses these are the rows that changed their piece.
class WeightedGram {
 public:
  explicit WeightedGram(const Rows& rows);

  // Coordinates in ascending order; forgets the matrix when they change.
  void restrict_to(std::vector<Index> coordinates);

  // Returns the share of the rows that were visited. Of no use once the time is over.
  double update(const RowSpan& h, Tick& tick);

  // The matrix at h to the last digit, every row visited: for weights that span many orders of
  // magnitude, where even the small ones count.
  void rebuild(const RowSpan& h, Tick& tick);
  template <class E>
  void rebuild(const RowExpr<E>& h, Tick& tick) {
    rebuild(RowSpan(RowVec(h)), tick);
  }

  Index size() const { return static_cast<Index>(coordinates_.size()); }
  const std::vector<Index>& coordinates() const { return coordinates_; }
  const Mat& matrix() const { return H_; }
  // The lower triangle of sum_i h_i (x_i, 1) (x_i, 1)' + ridge |w|^2, in (w, b); without b where
  // there is no free intercept. `more` coordinates follow, all zero.
  Mat bordered(bool intercept, double ridge, Index more = 0) const;
  double cross(Index k) const { return cross_[coordinates_[k]]; }
  double total() const { return total_; }
  void clear();

 private:
  template <class Moved>
  void visit(const RowSpan& h, Moved moved, Tick& tick);

  const Rows rows_;
  RowVec held_;  // the weight with which row i stands in H
  std::vector<Index> coordinates_, map_;
  Mat H_;
  Vec cross_;
  double total_ = 0;
};

}  // namespace dualmargin
