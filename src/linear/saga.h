// SAGA: incremental gradient with a table of the newest gradient of every row.
#pragma once

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

struct SagaOptions {
  bool permute = false;
};

Solution saga(const LinearProblem&, const SagaOptions&, const Solution& start, Sampler&, Run&);

}  // namespace dualmargin::linear
