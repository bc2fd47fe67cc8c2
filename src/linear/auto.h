// The default: which of the methods of this family, in which order, for how long.
#pragma once

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

struct AutoOptions {
  double dual_passes = 8;
};

Solution automatic(const LinearProblem&, const AutoOptions&, const Solution& start, Sampler&, Run&);

}  // namespace dualmargin::linear
