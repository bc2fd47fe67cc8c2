// What leaves the robust family: the returned point with its certificate recomputed from the
// definitions, and how the run ended.
#pragma once

#include "robust/robust_svm.h"
#include "run/nothing.h"
#include "run/outcome.h"

namespace dualmargin::robust {

struct Report : Outcome {
  Solution solution;
  // The bound holds for |w|_q up to this; infinite but for radius = 0 without ridge.
  double norm_limit = HUGE_VAL;
};

Report report(const RobustSvm& problem, Solution s, Run& run);

}  // namespace dualmargin::robust
