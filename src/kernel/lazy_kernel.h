// A kernel matrix of which each row is computed when it is asked for first, and kept: for methods
// that never ask for most of them. Several threads may ask: a row stays where it is.
#pragma once

#include <memory>

#include "kernel/arguments.h"
#include "kernel/kernel_function.h"
#include "rows/gram.h"

namespace dualmargin::kernel {

std::unique_ptr<KernelMatrix> lazy_kernel(const Arguments& arguments, const KernelFunction& kernel);

}  // namespace dualmargin::kernel
