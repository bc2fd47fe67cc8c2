// Dual coordinate descent in permuted order, with shrinking.
#pragma once

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

struct DualCdOptions {
  bool shrink = true;
  double block = 0;  // rows visited together, in the order of memory; 0 chooses by the dimension
};

Solution dual_cd(const LinearProblem&, const DualCdOptions&, const Solution& start, Sampler&, Run&);

}  // namespace dualmargin::linear
