// Names of problem.h for what has not moved there yet.
#pragma once

#include "linear/problem.h"
#include "run/run.h"

namespace dualmargin::linear {

template <class Data>
using Erm = LinearProblem<Data>;

}  // namespace dualmargin::linear
