// SDCA inside a proximal point iteration without momentum.
#pragma once

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

struct ProximalSdcaOptions {
  bool permute = false;
  double inner_passes = 2;
  double strength = 1;  // kappa in units of 1/(n gamma)
};

Solution proximal_sdca(const LinearProblem&, const ProximalSdcaOptions&, const Solution& start,
                       Sampler&, Run&);

}  // namespace dualmargin::linear
