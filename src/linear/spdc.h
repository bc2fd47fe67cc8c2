// Stochastic primal-dual coordinate method.
#pragma once

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

struct SpdcOptions {
  bool permute = false;
};

Solution spdc(const LinearProblem&, const SpdcOptions&, const Solution& start, Sampler&, Run&);

}  // namespace dualmargin::linear
