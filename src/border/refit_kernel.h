// One more fit of a kernel problem, for what refits many times in one call. The solvers are compiled
// in kernel.cpp and nowhere else.
#pragma once

#include <string>

#include "border/call.h"
#include "kernel/kernel_problem.h"

namespace dualmargin::kernel {

Solution solve_by_name(const std::string& solver, const KernelProblem& problem,
                       const border::Options& option, const Solution& start, Sampler& draws,
                       Run& run);

}  // namespace dualmargin::kernel
