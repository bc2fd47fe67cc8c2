// Glue of margin_flips() of linear fits.
#include "border/flips.h"

#include "border/change_columns.h"
#include "decide/flip_columns.h"

using namespace dualmargin;
using namespace dualmargin::decide;

// change: y, omega, rule "cost" and regression FALSE as change_cpp() has them of an unchanged fit of
// two classes; turned, the weights that rows have with the other label, or NULL where they leave;
// score, that of each prediction by the fit; most, how many rows are listed for each; refits, for how
// many rows the changed problem is solved.
// [[Rcpp::export(rng = false)]]
Rcpp::List flips_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& problem,
                     const Rcpp::List& change, SEXP asked, const Rcpp::List& refit,
                     const Rcpp::List& control) {
  const auto count = [&](const Change& all, const auto& problems, const AskedRows& rows,
                         Tick& tick) {
    const auto& one = problems.at(0);
    const auto known = one.workspace.at(one.g);
    const region::Pair pair = region::pair_of(known, one.fit.w, one.fit.b, one.fit.a, tick);
    const region::Ball ball = region::ball_of(known, pair);
    const region::Ellipsoid ellipsoid = region::ellipsoid_of(known, pair, tick);
    const Fitted fit{known, pair, ball, ellipsoid, Rule::cost};
    const RowChanges changes = row_changes(known, pair, border::vec_at(change, "turned"));
    return border::as_list(border::flips(all, problems, changes,
                                         flip_bounds(fit, changes, rows, tick),
                                         rows.scores(pair.w, pair.b, tick), change, tick));
  };
  return border::with_change(x, frame, problem, change, asked, refit, control,
                             border::ColumnQuestionOf(count));
}
