// A changed problem on the rows of a fit, with the best pair of it that is known, and what is said of
// the rows that are asked about.
#pragma once

#include <utility>
#include <vector>

#include "decide/change_pair.h"
#include "decide/refit.h"

namespace dualmargin::decide {

using region::Ends;

inline void meet(Ends& ends, const Ends& other) {
  for (Index i = 0; i < ends.low.size(); ++i) {
    if (other.low[i] > ends.low[i]) ends.low[i] = other.low[i];
    if (other.high[i] < ends.high[i]) ends.high[i] = other.high[i];
  }
}

// Ends of the scores for each class problem.
struct Answer {
  std::vector<Ends> ends;
  bool solved = false;
};

// What a changed problem is: weights, labels for each class problem (none: those after the change),
// and which of the rows that are asked about matter (none: all).
struct Setting {
  RowVec omega;
  std::vector<RowVec> y;
  std::vector<Index> some;
};

// One class problem of it.
template <class Data>
struct ChangedProblem {
  const Rows<Data> rows;
  const region::MovedRows<Data> moved;
  const region::Problem<Data> problem;
  Tried best;

  // y, omega: must outlive this
  ChangedProblem(const ChangedClass<Data>& fit, const Data& data, const RowVec& y,
                 const RowVec& omega, Rule rule, double total, bool changed, Tick& tick)
      : rows(data, y, omega, fit.space.rows.team),
        moved(rows, fit.space.moved),
        problem(moved, fit.space.phi, penalty(fit.g, rule, total / rows.total_weight),
                fit.space.free),
        best(start_of(problem, fit, changed, tick)) {}
  ChangedProblem(const ChangedProblem&) = delete;

  static ElasticNet penalty(const ElasticNet& g, Rule rule, double share) {
    return rule == Rule::cost ? ElasticNet{g.l1 * share, g.l2 * share} : g;
  }
};

}  // namespace dualmargin::decide
