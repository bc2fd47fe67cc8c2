// The only place where the name of a solver of the hard family becomes a function.
#pragma once

#include <string>

#include "border/names.h"
#include "hard/adaptive.h"
#include "hard/auto.h"
#include "hard/gradient_descent.h"
#include "hard/momentum.h"
#include "hard/perceptron.h"

namespace dualmargin::hard {

// Around a small support only rows of the kernel that enter it are asked for.
inline bool asks_for_few_rows(const std::string& solver) {
  return solver == "auto" || solver == "active_set" || solver == "smo";
}

// `option` reads an option by name; the registry on the R side fills in every default. cache_bytes:
// for columns of products.
template <class Option>
Solution solve_hard(const std::string& solver, const HardMargin& problem, const Option& option,
                    double cache_bytes, Sampler& sampler, Run& run) {
  Solution s;
  if (zero_row(problem, run, s)) return s;
  if (solver == "auto") return automatic(problem, {{}, cache_bytes, true}, sampler, run);
  if (solver == "active_set") {
    const ActiveSetOptions few{static_cast<Index>(option.number("batch")),
                               static_cast<Index>(option.number("max_support"))};
    return automatic(problem, {few, cache_bytes, false}, sampler, run);
  }
  if (solver == "dual_cd") {
    return dual_descent(problem, {option.flag("shrinking"), 0}, Vec(), sampler, run);
  }
  if (solver == "smo") return smo(problem, cache_bytes, Vec(), run);
  if (solver == "momentum") {
    const bool logistic = border::named<bool>("loss", option.text("loss"),
                                              {{"logistic", true}, {"exponential", false}});
    return momentum(problem, {logistic}, run);
  }
  if (solver == "adaptive") {
    const bool fast = border::named<bool>("schedule", option.text("schedule"),
                                          {{"momentum", true}, {"theory", false}});
    return adaptive(problem, {fast, run.most_epochs()}, sampler, run);
  }
  if (solver == "ngd") return gradient_descent(problem, true, run);
  if (solver == "gd") return gradient_descent(problem, false, run);
  if (solver == "perceptron") return perceptron(problem, run);
  border::unknown("solver", solver);
}

}  // namespace dualmargin::hard
