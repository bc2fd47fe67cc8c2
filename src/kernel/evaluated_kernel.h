// A kernel matrix whose rows somebody else evaluates, a block at a time: beyond the memory that may
// be used for it, a kernel given as a function.
#pragma once

#include <functional>
#include <memory>

#include "rows/gram.h"

namespace dualmargin::kernel {

// Fills an n x count matrix with K(., rows).
using EvaluateKernel = std::function<void(const Index* rows, Index count, double* out)>;

std::unique_ptr<KernelMatrix> evaluated_kernel(EvaluateKernel evaluate, const Vec& diagonal);

}  // namespace dualmargin::kernel
