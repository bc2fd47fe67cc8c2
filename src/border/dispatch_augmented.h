// The only place where a name of the augmented family becomes a type.
#pragma once

#include <string>

#include "augmented/gaussian_loss.h"
#include "augmented/solvers.h"
#include "border/border.h"
#include "border/dispatch_loss.h"
#include "border/names.h"

namespace dualmargin::augmented {

inline AugmentedOptions augmented_options(const border::Options& option) {
  using Sampling = AugmentedOptions::Sampling;
  AugmentedOptions o;
  o.sampling = border::named<Sampling>("sampling", option.text("sampling"),
                                       {{"auto", Sampling::automatic},
                                        {"uniform", Sampling::uniform},
                                        {"nonuniform", Sampling::nonuniform},
                                        {"permutation", Sampling::permutation}});
  o.averaging = option.flag("averaging");
  o.step = option.number("step");
  return o;
}

// S-MISO with every row once an epoch: see the header of smiso.h.
inline AugmentedOptions in_order(AugmentedOptions o) {
  o.even = AugmentedOptions::Sampling::permutation;
  return o;
}

// Empty where the mean over rho is not known; has_closed_form() in R/perturbation.R is the same
// list. `ask`: the loss by name.
inline Expectation closed_form(const Rows& rows, const border::Options& ask,
                               const Perturbation& rho, Tick& tick) {
  const std::string loss = ask.text("loss");
  const double parameter = ask.number("parameter");
  const LossPtr any = any_loss(loss, parameter, ask.flag("regression"));
  if (rho.none()) return plain_expectation(rows, any);
  const Moments noise = rho.moments();
  if (loss == "squared" && noise.known) return squared_expectation(rows, any, noise, tick);
  if (!noise.normal) return nullptr;
  return with_loss(loss, parameter, [&](const auto& phi) -> Expectation {
    if constexpr (of_numbers<std::decay_t<decltype(phi)>>) {
      return nullptr;
    } else {
      return normal_expectation(rows, loss_by_name(loss, parameter), under_normal_noise(phi),
                                noise.added);
    }
  });
}

// SAGA draws uniformly; only the one whose steps fall has an average.
inline AugmentedOptions saga_options(const border::Options& option, bool falls) {
  AugmentedOptions o;
  o.sampling = AugmentedOptions::Sampling::uniform;
  o.averaging = falls && option.flag("averaging");
  o.step = option.number("step");
  return o;
}

// `option` reads an option by name; the registry on the R side fills in every default.
inline AugmentedSolution solve_augmented(const std::string& solver, const ExpectedErm& problem,
                                         const border::Options& option, const Vec& start,
                                         Sampler& sampler, Assessment& assess, Run& run) {
  // rates of 1/t are slow but steady, and estimates of them are noisy: never stalled
  StopRule rule;
  rule.patience = problem.known() ? 1 : 2;
  run.begin(rule);
  if (solver == "auto" && problem.known()) {
    return exact(problem, ExactOptions(), start, run);
  }
  if (solver == "auto") {
    return smiso(problem, in_order(AugmentedOptions()), start, sampler, assess, run);
  }
  if (solver == "smiso" || solver == "sgd" || solver == "saga_decay") {
    assess.always_average(!option.flag("choose"));
  }
  if (solver == "smiso") {
    return smiso(problem, in_order(augmented_options(option)), start, sampler, assess, run);
  }
  if (solver == "exact") {
    ExactOptions o;
    o.memory = static_cast<Index>(option.number("memory"));
    return exact(problem, o, start, run);
  }
  if (solver == "sgd") {
    return sgd(problem, augmented_options(option), start, sampler, assess, run);
  }
  if (solver == "nsaga" || solver == "saga_decay") {
    const bool falls = solver == "saga_decay";
    return saga(problem, saga_options(option, falls), falls, start, sampler, assess, run);
  }
  border::unknown("solver", solver);
}

}  // namespace dualmargin::augmented
