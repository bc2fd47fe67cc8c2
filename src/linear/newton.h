// Newton's method for smooth losses.
#pragma once

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

struct NewtonOptions {
  bool subsample = true;
};

Solution newton(const LinearProblem&, const NewtonOptions&, const Solution& start, Sampler&, Run&);

}  // namespace dualmargin::linear
