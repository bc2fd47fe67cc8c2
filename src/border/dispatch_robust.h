// The only place where a name of the robust family becomes a type.
#pragma once

#include <string>

#include "border/border.h"
#include "border/names.h"
#include "robust/solvers.h"
#include "rows/row_store.h"
#include "run/sampler.h"

namespace dualmargin::robust {

inline NormCone norm_from(const std::string& name) {
  return {border::named<Norm>("norm", name,
                              {{"l1", Norm::l1}, {"l2", Norm::l2}, {"linf", Norm::linf}})};
}

inline StepSchedule::Decay decay_from(const std::string& name) {
  using Decay = StepSchedule::Decay;
  return border::named<Decay>("schedule", name,
                              {{"geometric", Decay::geometric},
                               {"inverse", Decay::inverse},
                               {"inverse_root", Decay::inverse_root}});
}

inline IncrementalOptions incremental_options(const border::Options& option) {
  IncrementalOptions o;
  o.schedule = {decay_from(option.text("schedule")), option.number("step"),
                option.number("shrink")};
  o.order = border::named<Order>("sampling", option.text("sampling"),
                                 {{"cyclic", Order::cyclic}, {"permutation", Order::permutation}});
  o.floor = option.number("floor");
  return o;
}

inline Reading reading_of(const std::string& solver) {
  const bool passes = solver == "auto" || solver == "interior_point" || solver == "pdhg";
  return passes ? Reading::in_passes : Reading::one_by_one;
}

// `option` reads an option by name; the registry on the R side fills in every default.
inline Solution solve_robust(const std::string& solver, const RobustSvm& problem,
                             const border::Options& option, const Solution& start, Sampler& sampler,
                             Run& run) {
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
  border::unknown("solver", solver);
}

}  // namespace dualmargin::robust
