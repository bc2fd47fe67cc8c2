// ASPDC-i: ASPDC for ill-conditioned problems, inside a proximal point iteration.
#pragma once

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

struct AspdcIOptions {
  bool permute = false;
  bool tolerance_schedule = false;  // Algorithm 2
  double inner_passes = 2;
  double strength = 4;  // lambda + kappa in units of 1/(n gamma)
};

Solution aspdc_i(const LinearProblem&, const AspdcIOptions&, const Solution& start, Sampler&, Run&);

}  // namespace dualmargin::linear
