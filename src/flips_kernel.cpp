// Glue of margin_flips() of kernel fits.
#include "border/change_functions.h"
#include "border/flips.h"
#include "decide/flip_functions.h"
#include "region/newton.h"

using namespace dualmargin;
using namespace dualmargin::decide;

// change: as flips_cpp() has it; the rest as change_kernel_cpp().
// [[Rcpp::export(rng = false)]]
Rcpp::List flips_kernel_cpp(SEXP x, const Rcpp::List& kernel, const Rcpp::List& problem,
                            const Rcpp::List& change, SEXP asked, const Rcpp::List& refit,
                            const Rcpp::List& control) {
  const auto count = [&](const Change& all, const FunctionProblems& problems,
                         const AskedFunctions& rows, Tick& tick) {
    const FunctionProblem known = problems.fitted();
    const ClassFit<Function>& one = problems.fit(0);
    const FunctionPair pair = region::pair_of(known, Function(), one.b, one.a, tick);
    const region::BallIn<Function> ball = region::ball_of(known, pair);
    const region::FunctionEllipsoid ellipsoid = region::ellipsoid_of(known, pair, tick);
    const FittedFunction fit{known, pair, ball, ellipsoid, Rule::cost};
    const RowChanges changes = row_changes(known, pair, border::vec_at(change, "turned"));
    const region::FunctionRows& asked_rows = rows.rows();
    const RowVec own(Vec(asked_rows.values({&pair.w}, tick)[0].array() + pair.b));
    return border::as_list(
        border::flips(all, problems, changes, flip_bounds(fit, changes, rows, tick),
                      {own, asked_rows.roundings(pair.w, pair.b)}, change, tick));
  };
  return border::with_change(x, kernel, problem, change, asked, refit, control,
                             border::FunctionQuestion(count));
}
