// Rows that are asked about by their kernel values with the rows of a fit, which are stored where
// the memory allows, and else computed whenever they are asked for.
#pragma once

#include <functional>

#include "base/function_ref.h"
#include "region/function_rows.h"

namespace dualmargin::decide {

using region::Function;
using region::FunctionRows;
using region::FunctionSizes;

class AskedFunctions {
 public:
  // Of some of the rows the values with all rows of the fit, a column each.
  using GiveColumns = std::function<void(Index begin, Index count, double* out)>;

  AskedFunctions(FunctionSizes own, const FunctionSizes& points, GiveColumns columns, double bytes,
                 Team& team, Tick& tick);
  AskedFunctions(const AskedFunctions&) = delete;

  Index n() const { return own_.scale.size(); }
  const FunctionRows& rows() const { return rows_; }  // not moved
  double scale(Index i) const { return own_.scale[i]; }
  double error(Index i) const { return own_.error[i]; }
  Mat columns(Index begin, Index end) const;
  Vec column(Index i) const { return columns(i, i + 1).col(0); }

 private:
  void for_panels(FunctionRef<void(Index, Index)> f, Tick& tick) const;
  Mat products(const Mat& coef, Tick& tick) const;

  FunctionSizes own_;
  Index points_;
  GiveColumns columns_;
  const RowVec nothing_;
  FunctionRows rows_;
  Mat stored_;
};

}  // namespace dualmargin::decide
