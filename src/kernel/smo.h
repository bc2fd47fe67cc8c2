// Sequential minimal optimisation on any program over boxes, smo.cpp.
#pragma once

#include "kernel/boxes.h"
#include "kernel/solvers.h"

namespace dualmargin::kernel {

// working, exact: the kernel that rows are read of, and what takes its place once a certificate has
// refuted a point of it.
void maximize(Boxes& boxes, const Gram& working, const Gram& exact, const SmoOptions& options,
              Run& run);

}  // namespace dualmargin::kernel
