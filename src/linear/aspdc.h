// ASPDC: coordinate-wise best responses in the saddle problem.
#pragma once

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

struct AspdcOptions {
  bool permute = false;  // the paper draws with replacement
};

Solution aspdc(const LinearProblem&, const AspdcOptions&, const Solution& start, Sampler&, Run&);

}  // namespace dualmargin::linear
