#include "border/kernel_rows.h"

#include <cmath>
#include <string>

#include "border/dispatch_kernel.h"
#include "border/dispatch_loss.h"

namespace dualmargin::border {

KernelRows::KernelRows(SEXP x, const Rcpp::List& kernel, const Rcpp::List& problem,
                       const Rcpp::List& refit, const Rcpp::List& control, Tick& tick)
    : call(refit, control),
      formula(kernel),
      arguments(formula.kept_arguments(x, call.team)),
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
