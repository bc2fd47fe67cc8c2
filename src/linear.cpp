// Glue of margin_linear() and margin_path(): names to functions, then one call for each class problem
// and point (lambda, mixture).
#include "border/dispatch_linear.h"
#include "border/fit_linear.h"
#include "border/refit.h"
#include "rows/row_store.h"

using namespace dualmargin;
using namespace dualmargin::linear;

namespace dualmargin::linear {

namespace {

// A fit whose limits are counted anew, in any thread, whose tick it is.
template <class Fit>
auto with_new_run(Run::Limits limits, const LinearProblem& problem, Tick& tick, Fit fit) {
  limits.restart();
  Run run(
      limits, problem.null_value(), [&] { tick.ask(); }, [](double, double) {});
  return fit(run);
}

}  // namespace

Solution solve_by_name(const std::string& solver, const LinearProblem& problem,
                       const border::Options& option, const Solution& start, Sampler& draws,
                       Run& run) {
  // A sample of the rows lies in all blocks of a file: it costs whole readings, and saves none.
  if (problem.rows.storage().is_file()) {
    return solve_in_passes(solver, problem, option, start, draws, run, false);
  }
  return solve_linear(solver, problem, option, start, draws, run);
}

Reading reading_of(const std::string& solver) {
  for (const char* name : {"lbfgs", "newton", "ssnal", "fista", "interior_point", "lasso"}) {
    if (solver == name) return Reading::in_passes;
  }
  return Reading::one_by_one;
}

Report refit(const border::FitCall& call, std::uint64_t seed, const LinearProblem& problem,
             const Solution& start, Tick& tick) {
  Sampler draws(seed);
  return with_new_run(call.limits, problem, tick, [&](Run& run) {
    return report(problem, solve_by_name(call.solver, problem, call.option, start, draws, run),
                  run);
  });
}

decide::Refits refits_of(const border::FitCall& call, std::function<Columns()> columns) {
  const auto fit = [&call](const LinearProblem& problem, const Solution& start, double tol,
                           Tick& tick) {
    Run::Limits limits = call.limits;
    limits.tol = tol;
    Sampler draws(call.seed);
    return with_new_run(limits, problem, tick, [&](Run& run) {
      return solve_by_name(call.solver, problem, call.option, start, draws, run);
    });
  };
  return {fit, std::move(columns)};
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
  for (const char* name : {"auto", "lbfgs", "newton", "lasso", "ssnal"}) {
    second_order = second_order || call.solver == name;
  }
  const auto solve = [&](const LinearProblem& p, const Solution& start, Sampler& draws, Run& run) {
    if (call.shared()) {
      return solve_in_passes(call.solver, p, call.option, start, draws, run, true);
    }
    return solve_by_name(call.solver, p, call.option, start, draws, run);
  };
  return fit_linear(
      call, problem, rows, RowVec(border::vec(y)), omega,
      [&](Tick& tick) { return columns.view(call.constant(), tick); }, second_order, solve);
}
