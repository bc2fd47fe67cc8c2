// Kernel matrices in memory, in single or double precision, whole or row by row as they are asked
// for.
#pragma once

#include <memory>

#include "kernel/arguments.h"
#include "kernel/kernel_function.h"
#include "rows/gram.h"

namespace dualmargin::kernel {

// Values that lie elsewhere, or that it keeps.
std::unique_ptr<KernelMatrix> stored_kernel(const double* values, Index n, Team& team);
template <class Scalar>
std::unique_ptr<KernelMatrix> stored_kernel(std::unique_ptr<Scalar[]> values, Index n, Team& team);

// A matrix of which each row is computed when it is asked for first, and kept: for methods that
// never ask for most of them. Several threads may ask: a row stays where it is.
std::unique_ptr<KernelMatrix> lazy_kernel(const Arguments& arguments, const KernelFunction& kernel);

}  // namespace dualmargin::kernel
