// The rows of a kernel fit with their kernel, for what refits many times in one call.
#pragma once

#include <memory>

#include "border/function_rows.h"
#include "border/refit_kernel.h"
#include "decide/refit_functions.h"

namespace dualmargin::border {

struct KernelRows {
  FitCall call;
  FormulaKernel formula;
  std::shared_ptr<const kernel::Arguments> arguments;
  KernelSize size;
  AnyLoss loss;
  kernel::KernelStore store;
  Gram gram;

  // x: the rows as the kernel sees them, which must outlive this
  KernelRows(SEXP x, const Rcpp::List& kernel, const Rcpp::List& problem, const Rcpp::List& refit,
             const Rcpp::List& control, Tick& tick)
      : call(refit, control),
        formula(kernel),
        arguments(formula.kept_arguments(x, call.team)),
        size(formula.size(*arguments)),
        loss(any_loss(Rcpp::as<std::string>(problem["loss"]), number_at(problem, "parameter"),
                      number_at(problem, "regression") != 0)),
        store(formula.store(*arguments, size, !loss.smooth(), tick)),
        gram(store.working(), std::sqrt(formula.constant)) {}
  KernelRows(const KernelRows&) = delete;

  region::FunctionSizes sizes() const { return {size, formula.constant}; }
  decide::FunctionRefits refits() const {
    return {gram, size, loss,
            [this](const kernel::KernelProblem& problem, const kernel::Solution& start, double tol,
                   Tick& tick) {
              Run::Limits limits = call.limits;
              limits.tol = tol;
              limits.restart();
              Run run(
                  limits, problem.null_value(), [&tick] { tick.ask(); }, [](double, double) {});
              Sampler draws(call.seed);
              return kernel::solve_by_name(call.solver, problem, call.option, start, draws, run);
            }};
  }
};

}  // namespace dualmargin::border
