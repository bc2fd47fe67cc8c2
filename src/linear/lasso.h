// Working sets of columns for problems with an l1 part and a smooth loss.
#pragma once

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

struct LassoOptions {
  Index working_set = 100;  // size of the first set
  bool extrapolation = true, screening = true;
};

Solution lasso(const LinearProblem&, const LassoOptions&, const Solution& start, Sampler&, Run&);

}  // namespace dualmargin::linear
