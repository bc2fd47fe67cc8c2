// Glue of margin_linear() and margin_path(): names to types, then one call into a function template
// per class problem and point (lambda, mixture).
#include "border/dispatch_linear.h"
#include "border/dispatch_passes.h"
#include "border/fit_linear.h"
#include "border/refit.h"
#include "rows/column_store.h"

using namespace dualmargin;
using namespace dualmargin::linear;

namespace dualmargin::linear {

Solution solve_by_name(const std::string& solver, const LinearProblem& problem,
                       const LossName& loss, const border::Options& option, const Solution& start,
                       Sampler& draws, Run& run) {
  // A sample of the rows lies in all blocks of a file: it costs whole readings, and saves none.
  if (problem.rows.storage().in_file()) {
    return solve_in_passes(solver, problem, option, start, draws, run, false);
  }
  return solve_linear(solver, problem, option, start, draws, run);
}

}  // namespace dualmargin::linear

// problem: as for fit_linear() in border/fit_linear.h.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_linear_cpp(SEXP x, const Rcpp::NumericVector& y, const Rcpp::NumericVector& weights,
                          const Rcpp::List& problem, const Rcpp::List& control) {
  border::FitCall call(problem, control);
  const RowVec omega(border::vec(weights));
  // with a free intercept the origin of columns and response is of no account, but for the digits
  const MatrixView view = border::view(x);
  const RowStore rows(view, omega.local(), call.problem.flag("scale"),
                      call.free() ? Origin::free : Origin::fixed, call.team,
                      call.shared() ? Reading::in_passes : reading_of(call.solver),
                      border::column_factor(problem), call.setup());
  ColumnStore columns(view, rows.centre(), rows.scales());
  bool second_order = false;
  for (const char* name : {"auto", "newton", "lasso", "ssnal"}) {
    second_order = second_order || call.solver == name;
  }
  const auto solve = [&](const auto& p, double scale, const Solution& start, Sampler& draws,
                         Run& run) {
    if (call.shared()) {
      return solve_in_passes(call.solver, p, call.option, start, draws, run, true);
    }
    const LossName loss{call.problem.text("loss"), scale * call.problem.number("parameter")};
    return solve_by_name(call.solver, p, loss, call.option, start, draws, run);
  };
  return fit_linear(
      call, problem, rows, RowVec(border::vec(y)), omega,
      [&](Tick& tick) { return columns.view(call.constant(), tick); }, second_order, solve);
}
