// Katyusha: accelerated variance-reduced gradient with negative momentum.
#pragma once

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

struct KatyushaOptions {
  bool permute = false;
  double inner_passes = 2;
};

Solution katyusha(const LinearProblem&, const KatyushaOptions&, const Solution& start, Sampler&,
                  Run&);

}  // namespace dualmargin::linear
