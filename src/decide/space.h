// The space where the function f = -(1/kappa) sum_j m_j k(x_j, .) of masses m lives, for steps in dual
// variables. A Space is what these ask of it,
//
//   square(i)               |x_i|^2, about
//   inner(E)                K_EE, the products of some rows with one another
//   point(m, kappa, tick)   f
//   scores(m, kappa, tick)  those of f at all rows
//
// and its models are those below: of columns and of a kernel.
#pragma once

#include <vector>

#include "region/function_rows.h"
#include "rows/rows.h"

namespace dualmargin::decide {

class ColumnSpace {
 public:
  ColumnSpace(const Rows& rows, Tick& tick) : rows_(rows), squares_(rows.squares(tick)) {}

  // from above
  double square(Index i) const { return squares_[i]; }
  Mat inner(const std::vector<Index>& at) const;
  Vec point(const RowVec& mass, double kappa, Tick& tick) const;
  RowVec scores(const RowVec& mass, double kappa, Tick& tick) const;

 private:
  const Rows& rows_;
  const RowVec& squares_;
};

// gram: of the same rows.
class GramSpace {
 public:
  GramSpace(const region::FunctionRows& rows, const Gram& gram) : rows_(rows), gram_(gram) {}

  double square(Index i) const { return rows_.sizes().scale[i] * rows_.sizes().scale[i]; }
  // From the rows that are stored, else in panels of n values a row: no other rows are computed.
  Mat inner(const std::vector<Index>& at) const;
  // Pairs make the function of their dual point themselves.
  region::Function point(const RowVec&, double, Tick&) const { return {}; }
  RowVec scores(const RowVec& mass, double kappa, Tick& tick) const;

 private:
  const region::FunctionRows& rows_;
  const Gram& gram_;
};

}  // namespace dualmargin::decide
