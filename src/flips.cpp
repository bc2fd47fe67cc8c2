// Glue of margin_sensitivity(count = TRUE).
#include "decide/flips.h"

#include <utility>
#include <vector>

#include "border/change.h"
#include "decide/flip_columns.h"
#include "decide/flip_functions.h"
#include "region/newton.h"
#include "region/secant.h"

using namespace dualmargin;
using namespace dualmargin::decide;

namespace {

// change: turned, most and refits, and the score that the fit has of each prediction, as flips_cpp()
// has them; own, lost: the scores of the pair, and what they are off by.
std::vector<Prediction> flips(const Change& all, const ClassProblems& classes,
                              const RowChanges& changes, FlipCount::Bounds bounds,
                              std::pair<RowVec, RowVec> scores, const Rcpp::List& change,
                              Tick& tick) {
  const FlipCount count(classes, changes, std::move(bounds),
                        static_cast<Index>(border::number_at(change, "most")));
  std::vector<Prediction> found = count.bounds(
      {RowVec(border::vec_at(change, "score")), std::move(scores.first), std::move(scores.second)},
      tick);
  count.settle(found, all, border::number_at(change, "refits"), tick);
  count.conclude(found);
  return found;
}

// Matrices have a column for each prediction; flips is NA where that is open.
Rcpp::List as_list(const std::vector<Prediction>& found) {
  const auto m = static_cast<int>(found.size());
  const int listed = m == 0 ? 0 : static_cast<int>(found[0].rows.size());
  Rcpp::NumericVector needed(m), room(m);
  Rcpp::IntegerVector alone(m), proven(m);
  Rcpp::IntegerMatrix top(listed, m);
  Rcpp::NumericMatrix bound(listed, m);
  Rcpp::LogicalMatrix state(listed, m);
  for (int i = 0; i < m; ++i) {
    const Prediction& p = found[i];
    needed[i] = p.needed;
    room[i] = p.room;
    alone[i] = static_cast<int>(p.alone);
    proven[i] = static_cast<int>(p.proven);
    for (int k = 0; k < listed; ++k) {
      const Flip& flip = p.rows[k];
      top(k, i) = static_cast<int>(flip.row) + 1;
      bound(k, i) = flip.bound;
      state(k, i) = flip.flips == Flips::open ? NA_LOGICAL : flip.flips == Flips::yes;
    }
  }
  using Rcpp::Named;
  return Rcpp::List::create(Named("needed") = needed, Named("room") = room, Named("alone") = alone,
                            Named("proven") = proven, Named("top") = top, Named("bound") = bound,
                            Named("state") = state);
}

}  // namespace

// fitted, change, asked: as change_cpp() has them of an unchanged fit of two classes, at the rule
// "cost"; turned, the weights that rows have with the other label, or NULL where they leave; score,
// that of each prediction by the fit; most, how many rows are listed for each; refits, for how many
// rows the changed problem is solved.
// [[Rcpp::export(rng = false)]]
Rcpp::List flips_cpp(const Rcpp::List& fitted, const Rcpp::List& change, SEXP asked) {
  const Vec turned = border::vec_at(change, "turned");
  const auto of_columns = [&](const Change& all, const ColumnProblems& problems,
                              const AskedRows& rows, Tick& tick) {
    const auto& one = problems.at(0);
    const auto known = one.workspace.at(one.g);
    const Fitted fit(known, region::pair_of(known, one.fit.w, one.fit.b, one.fit.a, tick),
                     Rule::cost, true, tick);
    const RowChanges changes = row_changes(known, fit.pair, turned);
    return as_list(flips(all, problems, changes, flip_bounds(fit, changes, rows, tick),
                         rows.scores(fit.pair.w, fit.pair.b, tick), change, tick));
  };
  const auto of_kernel = [&](const Change& all, const FunctionProblems& problems,
                             const AskedFunctions& rows, Tick& tick) {
    const FunctionProblem known = problems.fitted();
    const ClassFit<Function>& one = problems.fit(0);
    const FittedFunction fit(known, region::pair_of(known, Function(), one.b, one.a, tick),
                             Rule::cost, true, tick);
    const FunctionPair& pair = fit.pair;
    const RowChanges changes = row_changes(known, pair, turned);
    const region::FunctionRows& asked_rows = rows.rows();
    const RowVec own(Vec(asked_rows.values({&pair.w}, tick)[0].array() + pair.b));
    return as_list(flips(all, problems, changes, flip_bounds(fit, changes, rows, tick),
                         {own, asked_rows.roundings(pair.w, pair.b)}, change, tick));
  };
  return border::with_change(border::FittedRows(fitted), change, asked, of_columns, of_kernel);
}
