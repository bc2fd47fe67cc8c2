// The kernel matrix of original and mixed rows together, its values computed row by row from the
// arguments between a row and the original ones: with a mixture z of two of those the argument is
// the same mixture of theirs, less s (1 - s) |z_i - z_j|^2 where it is a squared distance.
#pragma once

#include <memory>

#include "kernel/arguments.h"
#include "kernel/kernel_function.h"
#include "rows/gram.h"

namespace dualmargin::kernel {

// Source: Arguments or StoredArguments. It and the rows outlive the matrix.
template <class Source>
std::unique_ptr<KernelMatrix> mixture_kernel(const Source& source, const MixedRows& rows,
                                             const KernelFunction& kernel);

}  // namespace dualmargin::kernel
