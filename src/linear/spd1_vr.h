// SPD1-VR: SPD1 with the estimates of a reference point subtracted.
#pragma once

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

struct Spd1VrOptions {
  double step = 0.25, inner_passes = 2;
};

Solution spd1_vr(const LinearProblem&, const Spd1VrOptions&, const Solution& start, Sampler&, Run&);

}  // namespace dualmargin::linear
