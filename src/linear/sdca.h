// Stochastic dual coordinate ascent.
#pragma once

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

struct SdcaOptions {
  bool permute = true;  // a fresh random order each epoch; false: draws with replacement
};

Solution sdca(const LinearProblem&, const SdcaOptions&, const Solution& start, Sampler&, Run&);

}  // namespace dualmargin::linear
