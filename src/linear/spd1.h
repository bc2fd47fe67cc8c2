// SPD1: a stochastic primal-dual method that reads one entry of the data a step.
#pragma once

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

struct Spd1Options {
  double step = 0.5;  // theta
};

Solution spd1(const LinearProblem&, const Spd1Options&, const Solution& start, Sampler&, Run&);

}  // namespace dualmargin::linear
