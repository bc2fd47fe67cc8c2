// The linear solvers that read rows in whole passes, by their names: for rows in a file, and for rows
// that several ranks hold.
#pragma once

#include <string>

#include "border/names.h"
#include "linear/fista.h"
#include "linear/newton.h"
#include "linear/ssnal.h"

namespace dualmargin::linear {

// "auto" is Newton's method for a smooth loss, else SSNAL, both from a start on samples of the rows
// where `samples` says so. `option` as for solve_linear().
template <class Problem, class Option>
Solution solve_in_passes(const std::string& solver, const Problem& problem, const Option& option,
                         const Solution& start, Sampler& draws, Run& run, bool samples) {
  const bool choose = solver == "auto", smooth = problem.losses.smooth();
  const auto subsample = [&] { return choose ? samples : option.flag("subsample"); };
  if (solver == "newton" || (choose && smooth)) {
    return newton(problem, NewtonOptions{subsample()}, start, draws, run);
  }
  if (solver == "ssnal" || choose) {
    SsnalOptions options;
    options.subsample = subsample();
    if (!choose) {
      options.gamma = option.number("gamma");
      options.shrink = option.number("shrink");
    }
    return ssnal(problem, options, start, draws, run);
  }
  if (solver == "fista") {
    return fista(problem, FistaOptions{option.flag("restart")}, start, run);
  }
  border::unknown("solver that reads rows in whole passes", solver);
}

}  // namespace dualmargin::linear
