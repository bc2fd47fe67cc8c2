// The only place where a name of the augmented family becomes a type.
#pragma once

#include <stdexcept>
#include <string>

#include "augmented/saga.h"
#include "augmented/sgd.h"
#include "augmented/smiso.h"

namespace dualmargin {

template <class Option>
AugmentedOptions augmented_options(const Option& option) {
  using Sampling = AugmentedOptions::Sampling;
  const std::string sampling = option.text("sampling");
  AugmentedOptions o;
  o.sampling = sampling == "uniform"      ? Sampling::uniform
               : sampling == "nonuniform" ? Sampling::nonuniform
                                          : Sampling::automatic;
  o.averaging = option.flag("averaging");
  o.step = option.number("step");
  return o;
}

// SAGA draws uniformly; only the one whose steps fall has an average.
template <class Option>
AugmentedOptions saga_options(const Option& option, bool falls) {
  AugmentedOptions o;
  o.sampling = AugmentedOptions::Sampling::uniform;
  o.averaging = falls && option.flag("averaging");
  o.step = option.number("step");
  return o;
}

// `option` reads an option by name; the registry on the R side fills in every default.
template <class Problem, class Option>
AugmentedSolution solve_augmented(const std::string& solver, const Problem& problem,
                                  const Option& option, const Vec& start, Sampler& sampler,
                                  Assessment<Problem>& assess, Monitor& monitor) {
  if (solver == "auto") {
    return smiso(problem, AugmentedOptions(), start, sampler, assess, monitor);
  }
  if (solver == "smiso") {
    return smiso(problem, augmented_options(option), start, sampler, assess, monitor);
  }
  if (solver == "sgd") {
    return sgd(problem, augmented_options(option), start, sampler, assess, monitor);
  }
  if (solver == "nsaga" || solver == "saga_decay") {
    const bool falls = solver == "saga_decay";
    return saga(problem, saga_options(option, falls), falls, start, sampler, assess, monitor);
  }
  throw std::invalid_argument("unknown solver: " + solver);
}

}  // namespace dualmargin
