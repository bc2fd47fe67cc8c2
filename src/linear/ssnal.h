// Proximal Newton on the dual, for any loss and in particular the plain hinge.
#pragma once

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

struct SsnalOptions {
  bool subsample = true;
  double gamma = 1, shrink = 0.3;
};

Solution ssnal(const LinearProblem&, const SsnalOptions&, const Solution& start, Sampler&, Run&);

}  // namespace dualmargin::linear
