// Columns without a penalty: an intercept of several dimensions. For scores z of all else
//
//   min_{c,b}  (1/W) sum_i omega_i phi(z_i + x_i'c + b; y_i),   c on these columns F alone,
//
// is reached where u_j = (1/W) sum_i omega_i a_i x_ij vanishes for every j in F, with a_i =
// phi'(z_i + x_i'c + b), and the mean of a where b is free: the constraints of the dual. So a dual
// point is brought onto them, from the scores phi*'(a) whose slopes it is: every slope lies in the
// domain of phi*. What the rounding of scores leaves is taken away by steps in a itself,
// a_i += h_i (x_i'c + b) with h the curvatures. A point that does not come within some roundings of
// the constraints is given up for a = 0, which satisfies them.
//
// Newton's method with exact line search; the systems have as many rows as F.
#pragma once

#include <vector>

#include "linear/solution.h"
#include "loss/row_losses.h"
#include "rows/rows.h"

namespace dualmargin::linear {

class FreeColumns {
 public:
  FreeColumns(const Rows& rows, const RowLosses& losses, const std::vector<Index>& set)
      : rows_(rows), losses_(losses), set_(set) {}

  struct Best : Primal, Dual {
    double off = HUGE_VAL;  // how far the slopes are off the constraints, in roundings
    double move = 0;        // the largest change of a score by the next Newton step
  };

  // c and b for these scores, until the slopes are off by `enough` roundings.
  Best best(RowVec z, Tick& tick, double enough = 1) const;

  // Is there a best c? Along a direction on which the classes are separate the logistic loss falls
  // for ever: there each step moves scores by about 1, and at a minimum steps vanish.
  bool has_best(Tick& tick) const { return best(RowVec::Zero(rows_.n()), tick, 1e6).move < 0.1; }

  // A feasible point next to a.
  RowVec balanced(RowVec a, Tick& tick) const;

  // Those that the columns before them, and a free intercept, say already: what these leave of
  // sum_i omega_i x_ij^2 is rounding, or next to it.
  std::vector<Index> dependent(Tick& tick) const;

 private:
  static constexpr int most_steps = 100;
  static constexpr double near = 1e3, enough_roundings = 16, least_share = 1e-12;

  bool weighs(Index i) const { return rows_.weights[i] > 0; }

  struct Sums {
    Vec u;
    double mean = 0, off = 0;
  };
  Sums sums_of(const RowVec& a, Tick& tick) const;

  // Newton's systems on the set and b. They are small, and what is certified rests on them: they
  // are solved also when the time is over.
  struct Systems;

  const Rows& rows_;
  const RowLosses& losses_;
  const std::vector<Index>& set_;
};

}  // namespace dualmargin::linear
