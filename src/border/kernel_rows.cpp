#include "border/kernel_rows.h"

#include <cmath>
#include <string>
#include <utility>

#include "border/dispatch_kernel.h"
#include "border/dispatch_loss.h"

namespace dualmargin::border {

KernelRows::KernelRows(SEXP x, const Rcpp::List& kernel, const Rcpp::List& problem,
                       const Rcpp::List& refit, const Rcpp::List& control, Tick& tick)
    : KernelRows(
          FormulaKernel(kernel),
          [x](const FormulaKernel& of, Team& team) { return of.kept_arguments(x, team); }, problem,
          refit, control, tick) {}

KernelRows::KernelRows(const MatrixView& view, const RowFrame& at, const FittedRows& of, Tick& tick)
    : KernelRows(
          FormulaKernel(at, view.form == MatrixView::Form::dense,
                        1e6 * number_at(of.control["options"], "cache_mb")),
          [&](const FormulaKernel& kernel, Team& team) {
            return kernel.kept_arguments(view, at, team);
          },
          of.problem, of.refit, of.control, tick) {}

KernelRows::KernelRows(FormulaKernel of, Given rows, const Rcpp::List& problem,
                       const Rcpp::List& refit, const Rcpp::List& control, Tick& tick)
    : call(refit, control),
      formula(std::move(of)),
      arguments(rows(formula, call.team)),
      size(formula.size(*arguments)),
      loss(any_loss(Rcpp::as<std::string>(problem["loss"]), number_at(problem, "parameter"),
                    number_at(problem, "regression") != 0)),
      store(formula.store(*arguments, size, !loss->smooth(), tick)),
      gram(store.working(), std::sqrt(formula.constant)) {}

decide::FunctionRefits KernelRows::refits() const {
  return {gram, size, loss,
          [this](const kernel::KernelProblem& problem, const kernel::Solution& start, double tol,
                 Tick& tick) {
            Run::Limits limits = call.limits;
            limits.tol = tol;
            limits.restart();
            Run run(
                limits, problem.null_value(), [&tick] { tick.ask(); }, [](double, double) {});
            Sampler draws(call.seed);
            return kernel::solve_kernel(call.solver, problem, call.option, start, draws, run);
          }};
}

}  // namespace dualmargin::border
