// Flips of predictions across the border.
#pragma once

#include <utility>
#include <vector>

#include "border/change.h"
#include "decide/flips.h"

namespace dualmargin::border {

// change: turned, most and refits, and the score that the fit has of each prediction, as flips_cpp()
// has them; own, lost: the scores of the pair, and what they are off by.
inline std::vector<decide::Prediction> flips(const decide::Change& all,
                                             const decide::ClassProblems& classes,
                                             const decide::RowChanges& changes,
                                             decide::FlipCount::Bounds bounds,
                                             std::pair<RowVec, RowVec> scores,
                                             const Rcpp::List& change, Tick& tick) {
  const decide::FlipCount count(classes, changes, std::move(bounds),
                                static_cast<Index>(number_at(change, "most")));
  std::vector<decide::Prediction> found = count.bounds(
      {RowVec(vec_at(change, "score")), std::move(scores.first), std::move(scores.second)}, tick);
  count.settle(found, all, number_at(change, "refits"), tick);
  count.conclude(found);
  return found;
}

// Matrices have a column for each prediction; flips is NA where that is open.
inline Rcpp::List as_list(const std::vector<decide::Prediction>& found) {
  const auto m = static_cast<int>(found.size());
  const int listed = m == 0 ? 0 : static_cast<int>(found[0].rows.size());
  Rcpp::NumericVector needed(m), room(m);
  Rcpp::IntegerVector alone(m), proven(m);
  Rcpp::IntegerMatrix top(listed, m);
  Rcpp::NumericMatrix bound(listed, m);
  Rcpp::LogicalMatrix state(listed, m);
  for (int i = 0; i < m; ++i) {
    const decide::Prediction& p = found[i];
    needed[i] = p.needed;
    room[i] = p.room;
    alone[i] = static_cast<int>(p.alone);
    proven[i] = static_cast<int>(p.proven);
    for (int k = 0; k < listed; ++k) {
      const decide::Flip& flip = p.rows[k];
      top(k, i) = static_cast<int>(flip.row) + 1;
      bound(k, i) = flip.bound;
      state(k, i) =
          flip.flips == decide::Flips::open ? NA_LOGICAL : flip.flips == decide::Flips::yes;
    }
  }
  using Rcpp::Named;
  return Rcpp::List::create(Named("needed") = needed, Named("room") = room, Named("alone") = alone,
                            Named("proven") = proven, Named("top") = top, Named("bound") = bound,
                            Named("state") = state);
}

}  // namespace dualmargin::border
