// How large the values of a kernel known by a formula are and how exact: what a certificate has to
// know of them, see KernelSize in algebra/function_space.h.
#pragma once

#include "algebra/function_space.h"
#include "kernel/arguments.h"
#include "kernel/kernel_function.h"

namespace dualmargin::kernel {

// divided: have the rows been divided by the scales of their columns? centred: were column means
// subtracted from them?
KernelSize kernel_size(const Arguments& source, const MixedRows& rows, const KernelFunction& kernel,
                       bool divided, bool centred = false);

}  // namespace dualmargin::kernel
