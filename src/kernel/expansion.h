// The values of f = sum_k beta_k k(x_k, .) at other rows: panels of them side by side.
#pragma once

#include <vector>

#include "kernel/arguments.h"
#include "kernel/kernel_function.h"

namespace dualmargin::kernel {

// Of the rows of `arguments` the first `count` are to be scored, of the others f is made, or of the
// mixtures of them that are named, whose arguments are bilinear as in stored_arguments.h. A column
// of beta and of the answer for each function.
Mat expansion(const Arguments& arguments, Index count, const std::vector<Mixture>& mixtures,
              const KernelFunction& kernel, const Mat& beta, Tick& tick);

}  // namespace dualmargin::kernel
