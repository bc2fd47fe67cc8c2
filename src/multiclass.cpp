// Glue of margin_linear(multiclass = ) and its path over lambda: one problem of all classes.
#include "border/dispatch_joint.h"
#include "border/fit_joint.h"
#include "border/refit_joint.h"
#include "rows/row_store.h"

namespace dualmargin::linear {

JointSolution joint_solved_to(const border::FitCall& call, const decide::JointRefitOf& what,
                              const JointSolution& start, double tol, Tick& tick) {
  Run::Limits limits = call.limits;
  limits.tol = tol;
  limits.restart();
  Sampler draws(call.seed);
  const JointProblem problem(what.rows, what.own,
                             class_loss(what.softmax ? "softmax" : "crammer_singer", what.classes),
                             what.space, what.free);
  Run run(
      limits, problem.null_value(), [&] { tick.ask(); }, [](double, double) {});
  return what.rows.storage().is_file()
             ? solve_joint_in_passes(call.solver, problem, call.option, start, run)
             : solve_joint(call.solver, problem, call.option, start, draws, run);
}

}  // namespace dualmargin::linear

using namespace dualmargin;
using namespace dualmargin::linear;

// y: classes, from 1; problem: as for fit_linear_cpp(), with `loss` "softmax" or "crammer_singer"
// and of the latter no mixture.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_multiclass_cpp(SEXP x, const Rcpp::NumericVector& y,
                              const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                              const Rcpp::List& control) {
  border::FitCall call(problem, control);
  const RowVec omega(border::vec(weights)), codes(border::vec(y));
  const bool in_passes = call.shared() || call.solver == "newton" || call.solver == "lbfgs" ||
                         call.solver == "fista";
  const RowStore rows(border::view(x), omega.local(), call.problem.flag("scale"),
                      call.free() ? Origin::free : Origin::fixed, call.team,
                      in_passes ? Reading::in_passes : Reading::one_by_one,
                      border::column_factor(problem), call.setup());
  const auto solve = [&](const JointProblem& p, const JointSolution& start, Sampler& draws,
                         Run& run) {
    return call.shared() ? solve_joint_in_passes(call.solver, p, call.option, start, run)
                         : solve_joint(call.solver, p, call.option, start, draws, run);
  };
  return fit_joint(call, problem, rows, codes, omega,
                   class_loss(call.problem.text("loss"), call.classes()), solve);
}
