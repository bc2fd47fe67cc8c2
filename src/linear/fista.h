// FISTA: proximal gradient steps with momentum, which begins anew where it points uphill.
#pragma once

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

struct FistaOptions {
  bool restart = true;
};

Solution fista(const LinearProblem&, const FistaOptions&, const Solution& start, Sampler&, Run&);

}  // namespace dualmargin::linear
