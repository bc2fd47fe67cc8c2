// Rows that are asked about, however they are stored: in the coordinates of the rows of the fit.
#pragma once

#include <memory>
#include <utility>

#include "region/region.h"
#include "rows/row_store.h"

namespace dualmargin::decide {

class AskedRows {
 public:
  // x: must outlive this
  AskedRows(const MatrixView& x, const RowFrame& frame, Team& team);
  AskedRows(const AskedRows&) = delete;

  const Rows& rows() const { return rows_; }
  Index n() const { return rows_.n(); }
  Vec row(Index i) const { return rows_.row(i); }
  region::Ends intervals(const region::Region& region, Tick& tick) const;
  // x'w + b, and what rounding can have done to it
  std::pair<RowVec, RowVec> scores(const Vec& w, double b, Tick& tick) const;

 private:
  const RowStore store_;
  const std::unique_ptr<Storage> data_;
  const RowVec none_;
  const Rows rows_;
};

}  // namespace dualmargin::decide
