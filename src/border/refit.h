// One more fit of a linear problem, for what refits many times in one call. The solvers are
// compiled in linear.cpp and nowhere else.
#pragma once

#include <string>

#include "border/call.h"
#include "linear/report.h"
#include "rows/row_store.h"

namespace dualmargin::linear {

// `parameter` is what the maker of the loss takes on the R side.
struct LossName {
  std::string name;
  double parameter;
};

Solution solve_by_name(const std::string& solver, const LinearProblem& problem,
                       const LossName& loss, const border::Options& option, const Solution& start,
                       Sampler& draws, Run& run);

inline Reading reading_of(const std::string& solver) {
  for (const char* name : {"newton", "ssnal", "fista", "interior_point", "lasso"}) {
    if (solver == name) return Reading::in_passes;
  }
  return Reading::one_by_one;
}

// With the solver, tolerance and limits of a call, the limits counted anew. In any thread, whose
// tick it is.
inline Report refit(const border::FitCall& call, const LossName& loss, std::uint64_t seed,
                    const LinearProblem& problem, const Solution& start, Tick& tick) {
  Run::Limits limits = call.limits;
  limits.restart();
  Run run(
      limits, problem.null_value(), [&] { tick.ask(); }, [](double, double) {});
  Sampler draws(seed);
  return report(problem, solve_by_name(call.solver, problem, loss, call.option, start, draws, run),
                run);
}

// The point alone, to a tolerance of its own, by draws of the call's seed.
inline Solution solved_to(const border::FitCall& call, const LossName& loss,
                          const LinearProblem& problem, const Solution& start, double tol,
                          Tick& tick) {
  Run::Limits limits = call.limits;
  limits.tol = tol;
  limits.restart();
  Run run(
      limits, problem.null_value(), [&] { tick.ask(); }, [](double, double) {});
  Sampler draws(call.seed);
  return solve_by_name(call.solver, problem, loss, call.option, start, draws, run);
}

}  // namespace dualmargin::linear
