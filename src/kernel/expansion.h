// Functions of the space of a kernel evaluated at the rows they are made of.
#pragma once

#include "rows/gram.h"
#include "run/run.h"

namespace dualmargin::kernel {

// (K + constant) beta, a column for each function.
inline Mat expansion(const KernelMatrix& kernel, double constant, const ConstMatRef& beta,
                     Run& run) {
  Mat f = Mat::Zero(kernel.n(), beta.cols());
  kernel.multiply(beta, f, [&] { run.tick().poll(); });
  if (constant != 0) f.rowwise() += constant * beta.colwise().sum();
  return f;
}

}  // namespace dualmargin::kernel
