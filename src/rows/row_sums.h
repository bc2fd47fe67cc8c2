// What is added up, compared or selected over rows: those of a sample here, and those that other
// ranks hold (base/team.h). The one place where a number of all rows comes from.
//
//   sum          sum_i term(i), of several sums at once where a term is a std::array; blocks of 128
//                terms plainly, the blocks by Neumaier's method (base/rounding.h)
//   sum_blocks   the same of what is summed by blocks elsewhere
//   max  any     over term(i); below zero and false where there is no row
//   balance_point  where a slope that rises row by row passes zero: a weighted order statistic
#pragma once

#include <algorithm>
#include <vector>

#include "base/rounding.h"
#include "base/team.h"
#include "rows/row_vec.h"

namespace dualmargin {

// Where a slope rises, and by how much.
struct Rise {
  double at, by;
};

class RowSums {
 public:
  Team& team;

  RowSums(Index n, Team& team_) : team(team_), n_(n) {}

  Index n() const { return n_; }
  // Of the sum of all sizes so much is lost at most, one addition for each further rank included.
  double sum_rounding() const { return rounding::of_sum() + rounding::of(team.size() - 1); }
  template <class Term>
  auto sum(Term term) const {
    return sum_over(team, n_, term);
  }
  // Where others are divided by it: rounding::of_accurate_sum().
  template <class Term>
  double accurate_sum(Term term) const {
    return sum_blocks([&](Index begin, Index end) {
      return dualmargin::accurate_sum(end - begin, [&](Index k) { return term(begin + k); });
    });
  }
  template <class Part>  // part(begin, end)
  auto sum_blocks(Part part) const {
    return dualmargin::sum_blocks(team, n_, part);
  }
  // Over anything that the rows of this rank have so many of.
  template <class Term>
  auto sum(Index count, Term term) const {
    return sum_over(team, count, term);
  }
  // f(begin, end), side by side: for what is written row by row.
  void for_blocks(FunctionRef<void(Index, Index)> f) const;

  template <class Term>
  double max(Term term) const {
    double most = -HUGE_VAL;
    for (Index i = 0; i < n_; ++i) most = std::max<double>(most, term(i));
    team.max(most);
    return most;
  }
  template <class Term>
  bool any(Term term) const {
    bool found = false;
    for (Index i = 0; i < n_ && !found; ++i) found = term(i);
    double some = found;
    team.max(some);
    return some > 0;
  }

  struct Interval {
    double low, high;
  };
  // A slope is `slope` < 0 far on the left and rises at the given places. From the first place from
  // which on it is no longer below -rounding to the next place where it is zero between them, but for
  // rounding; else that place alone. 0 where nothing rises.
  //
  // By halving what is left: the pivot is the mean of the ranks' medians, on one rank their median.
  Interval balance_points(std::vector<Rise>& rises, double slope, double rounding) const;
  // The middle of it.
  double balance_point(std::vector<Rise>& rises, double slope, double rounding) const;

 private:
  using Place = std::vector<Rise>::iterator;

  double greatest(double x) const;
  // least < pivot <= most, so that there is something on both sides
  double pivot_of(Place first, Place last, double least, double most) const;

  Index n_;
};

}  // namespace dualmargin
