// The only place where a name of the robust family becomes a type.
#pragma once

#include <stdexcept>
#include <string>

#include "core/sampler.h"
#include "robust/auto.h"
#include "robust/closed_form.h"

namespace dualmargin {

inline Norm norm_from(const std::string& name) {
  if (name == "l1") return Norm::l1;
  if (name == "l2") return Norm::l2;
  if (name == "linf") return Norm::linf;
  throw std::invalid_argument("unknown norm: " + name);
}

// `option` reads an option by name; the registry on the R side fills in every default.
template <class Problem, class Option>
RobustPoint solve_robust(const std::string& solver, const Problem& problem, const Option& option,
                         const RobustPoint& start, Sampler& sampler, Monitor& monitor) {
  if (problem.label_cost == 0 || constant_suffices(problem)) {
    RobustPoint s = problem.label_cost == 0 ? free_labels(problem) : constant_fit(problem);
    monitor.proceed(
        0, [&] { return problem.certify(s, monitor); }, 0);
    s.solver = "closed form";
    return s;
  }
  if (solver == "auto") return automatic(problem, start, monitor);
  if (solver == "interior_point") return interior_point(problem, monitor);
  if (solver == "pdhg") return pdhg(problem, start, monitor);
  throw std::invalid_argument("unknown solver: " + solver);
}

}  // namespace dualmargin
