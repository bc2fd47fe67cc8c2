// Preconditioned conjugate gradients for A x = right, A positive semidefinite: M. R. Hestenes and
// E. Stiefel (1952), Journal of Research of the National Bureau of Standards 49, 409-436.
#pragma once

#include "base/function_ref.h"
#include "base/numeric.h"

namespace dualmargin {

struct LinearSolution {
  Vec solution, residual;
};

// apply(v) = A v; precondition(v), about A^{-1} v, positive definite; more(step, rho) says whether
// the next step is taken, rho = residual' precondition(residual).
LinearSolution pcg(FunctionRef<Vec(const Vec&)> apply, FunctionRef<Vec(const Vec&)> precondition,
                   const Vec& right, FunctionRef<bool(int, double)> more);

}  // namespace dualmargin
