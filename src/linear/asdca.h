// Accelerated proximal stochastic dual coordinate ascent.
#pragma once

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

struct AsdcaOptions {
  bool permute = false;
  bool tolerance_schedule = false;
  double inner_passes = 2;
};

Solution asdca(const LinearProblem&, const AsdcaOptions&, const Solution& start, Sampler&, Run&);

}  // namespace dualmargin::linear
