// The only place where a name of the robust family becomes a type.
#pragma once

#include <stdexcept>
#include <string>

#include "robust/auto.h"
#include "robust/closed_form.h"
#include "robust/gs_admm.h"
#include "robust/hybrid.h"
#include "robust/pdhg.h"
#include "run/sampler.h"

namespace dualmargin::robust {

inline NormCone norm_from(const std::string& name) {
  if (name == "l1") return {Norm::l1};
  if (name == "l2") return {Norm::l2};
  if (name == "linf") return {Norm::linf};
  throw std::invalid_argument("unknown norm: " + name);
}

inline StepSchedule::Decay decay_from(const std::string& name) {
  using Decay = StepSchedule::Decay;
  if (name == "geometric") return Decay::geometric;
  if (name == "inverse") return Decay::inverse;
  if (name == "inverse_root") return Decay::inverse_root;
  throw std::invalid_argument("unknown schedule: " + name);
}

template <class Option>
IncrementalOptions incremental_options(const Option& option) {
  IncrementalOptions o;
  o.schedule = {decay_from(option.text("schedule")), option.number("step"),
                option.number("shrink")};
  o.order = option.text("sampling") == "permutation" ? Order::permutation : Order::cyclic;
  o.floor = option.number("floor");
  return o;
}

// `option` reads an option by name; the registry on the R side fills in every default.
template <class Problem, class Option>
Solution solve_robust(const std::string& solver, const Problem& problem, const Option& option,
                      const Solution& start, Sampler& sampler, Run& run) {
  if (labels_are_cheap(problem) || constant_suffices(problem)) {
    Solution s = labels_are_cheap(problem) ? half_of_each_label(problem) : constant_fit(problem);
    run.proceed([&] { return problem.certify(s, run); }, 0);
    s.solver = "closed form";
    return s;
  }
  if (solver == "auto") return automatic(problem, start, run);
  if (solver == "interior_point") return interior_point(problem, run);
  if (solver == "gs_admm") {
    const AdmmOptions options{option.number("penalty"), option.number("growth"),
                              option.number("inner_steps")};
    return gs_admm(problem, options, start, run);
  }
  if (solver == "pdhg") return pdhg(problem, start, run);
  if (solver == "ippa") {
    return ippa(problem, incremental_options(option), start, sampler, run);
  }
  if (solver == "isg" || solver == "hybrid") {
    IncrementalOptions options = incremental_options(option);
    options.batch = static_cast<Index>(option.number("batch"));
    if (solver == "isg") return isg(problem, options, start, sampler, run);
    return hybrid(problem, options, option.number("change"), start, sampler, run);
  }
  throw std::invalid_argument("unknown solver: " + solver);
}

}  // namespace dualmargin::robust
