// Functions of the space of a kernel evaluated at the rows they are made of.
#pragma once

#include "core/monitor.h"
#include "data/gram.h"

namespace dualmargin {

// (K + constant) beta, a column for each function.
inline Mat expansion(const KernelMatrix& kernel, double constant, const ConstMatRef& beta,
                     Monitor& monitor) {
  Mat f = Mat::Zero(kernel.n(), beta.cols());
  kernel.multiply(beta, f, [&] { monitor.tick(); });
  if (constant != 0) f.rowwise() += constant * beta.colwise().sum();
  return f;
}

}  // namespace dualmargin
