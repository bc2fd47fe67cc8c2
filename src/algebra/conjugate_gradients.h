// Preconditioned conjugate gradients for A x = right, A positive semidefinite: M. R. Hestenes and
// E. Stiefel (1952), Journal of Research of the National Bureau of Standards 49, 409-436.
#pragma once

#include "base/numeric.h"

namespace dualmargin {

struct LinearSolution {
  Vec solution, residual;
};

// apply(v) = A v; precondition(v), about A^{-1} v, positive definite; more(step, rho) says whether
// the next step is taken, rho = residual' precondition(residual).
template <class Apply, class Precondition, class More>
LinearSolution pcg(Apply apply, Precondition precondition, const Vec& right, More more) {
  LinearSolution s{Vec::Zero(right.size()), right};
  Vec search = precondition(right);
  double rho = right.dot(search);
  for (int step = 0; more(step, rho); ++step) {
    const Vec image = apply(search);
    const double curvature = search.dot(image);
    if (!(curvature > 0)) break;
    const double length = rho / curvature;
    s.solution += length * search;
    s.residual -= length * image;
    const Vec scaled = precondition(s.residual);
    const double next = s.residual.dot(scaled);
    search = scaled + (next / rho) * search;
    rho = next;
  }
  return s;
}

}  // namespace dualmargin
