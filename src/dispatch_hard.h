// The only place where the name of a solver of the hard family becomes a function.
#pragma once

#include <stdexcept>
#include <string>

#include "hard/auto.h"
#include "hard/momentum.h"

namespace dualmargin {

// Around a small support only rows of the kernel that enter it are asked for.
inline bool asks_for_few_rows(const std::string& solver) {
  return solver == "auto" || solver == "active_set" || solver == "smo";
}

// `option` reads an option by name; the registry on the R side fills in every default.
template <class Option>
HardSolution solve_hard(const std::string& solver, const HardMargin& problem, const Option& option,
                        Sampler& sampler, Monitor& monitor) {
  if (solver == "auto") return automatic(problem, sampler, monitor);
  if (solver == "active_set") {
    const ActiveSetOptions options{static_cast<Index>(option.number("batch"))};
    return active_set(problem, options, {}, monitor);
  }
  if (solver == "dual_cd") return dual_descent(problem, option.flag("shrinking"), sampler, monitor);
  if (solver == "momentum") {
    return momentum(problem, MomentumOptions{option.text("loss") == "logistic"}, monitor);
  }
  throw std::invalid_argument("unknown solver: " + solver);
}

}  // namespace dualmargin
