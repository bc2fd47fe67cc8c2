// Glue of margin_kernel() and its path over lambda: names to types, then one call into a function
// per class problem and lambda.
#include "border/kernel_call.h"

using namespace dualmargin;
using namespace dualmargin::kernel;

namespace {

// What is left where the kernel was not complete in time; its certificate asks for no kernel value.
template <class Problem, class Zero>
Zero zero_function(const Problem& problem, Zero zero, Run& run) {
  run.tick().cut_short();
  run.proceed([&] { return problem.certify(zero, zero, run); }, 0);
  return zero;
}

// All classes in one problem.
Rcpp::List fit_softmax(KernelCall& call, const KernelStore& store, const Mat& share) {
  const auto problem = [&](double lambda) {
    return SoftmaxProblem(store.space(call.constant(), call.omega, lambda), share, call.omega);
  };
  call.scale_path(problem);
  border::Progress progress = call.progress(1);
  const auto solve = [&](const auto& p, const auto& start, Sampler& sampler, Run& run) {
    if (!store.complete()) {
      return zero_function(p, SoftmaxSolution{{}, {share}, call.solver.c_str()}, run);
    }
    return solve_softmax(call.solver, p, call.option, start, sampler, run);
  };
  return Rcpp::List::create(
      call.path(0, problem, solve, softmax_start(call.start, share), progress, [](auto&) {}));
}

Rcpp::List fit_columns(KernelCall& call, const KernelStore& store, const RowsOfKernel& rows,
                       const Mat& targets) {
  const auto problem = [&](const Vec& target, double lambda) {
    return KernelProblem(store.space(call.constant(), call.omega, lambda),
                         {call.loss, target, call.omega, call.free(), call.team});
  };
  const auto solve = [&](const auto& p, const auto& start, Sampler& sampler, Run& run) {
    if (!store.complete()) {
      return zero_function(p, Solution{{}, {p.zero()}, call.solver.c_str()}, run);
    }
    return solve_kernel(call.solver, p, call.option, start, sampler, run);
  };
  return call.columns<Solution>(targets, rows, problem, solve);
}

}  // namespace

// targets: a column for each class, original rows first, then the mixed ones; so also weights.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_kernel_cpp(SEXP x, const Rcpp::NumericMatrix& targets,
                          const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                          const Rcpp::List& control) {
  KernelCall call(weights, problem, control);
  Rcpp::List answer;
  const auto solve = [&](const KernelStore& store, const RowsOfKernel& rows) {
    const Rcpp::List paths = call.ask.flag("softmax")
                                 ? fit_softmax(call, store, class_shares(targets))
                                 : fit_columns(call, store, rows, mat(targets));
    answer = call.answer(paths, rows, store.working().bytes());
  };
  const KernelStore::Budget budget{1e6 * call.ask.number("cache_mb"), call.limits.tol,
                                   asks_for_few_rows(call.solver, call.loss)};
  Run run = call.plain_run();
  const double beyond =
      with_kernel(x, problem["kernel"], call.own_rows(), call.mixed, budget, call.team, run, solve);
  return beyond == 0 ? answer : Rcpp::List::create(Rcpp::Named("beyond") = beyond);
}
