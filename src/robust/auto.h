// The default: which of the methods of this family, in which order.
//
// The interior point method as long as its matrix is affordable, beyond that restarted PDHG.
// Whoever ends without a certificate is followed by the other, from the better primal and the
// better dual point so far.
#pragma once

#include "robust/interior_point.h"
#include "robust/pdhg.h"

namespace dualmargin::robust {

constexpr Index most_interior_columns = 3000;

// A step makes a weighted Gram matrix, sum of nnz_i^2 / 2, and factorises it, d^3 / 3; some thirty
// are needed. 2,000 columns (2.7e9) took a quarter of a second a step.
template <class Data>
bool matrix_is_affordable(const RobustSvm<Data>& problem) {
  constexpr double most_operations = 2e10;
  const double d = static_cast<double>(problem.x.dim());
  double gram = 0;
  for (Index i = 0; i < problem.n(); ++i) {
    const double row = static_cast<double>(problem.x.nonzeros(i));
    gram += row * row / 2;
  }
  return problem.x.dim() <= most_interior_columns && gram + d * d * d / 3 <= most_operations;
}

template <class Data>
RobustPoint automatic(const RobustSvm<Data>& problem, const RobustPoint& start, Run& run) {
  const auto inner = [&] { return interior_point(problem, run); };
  const bool matrix_first = matrix_is_affordable(problem);
  RobustPoint s = matrix_first ? inner() : pdhg(problem, start, run);
  if (run.ended() || problem.x.dim() > most_interior_columns) return s;

  run.begin();
  RobustPoint next = matrix_first ? pdhg(problem, s, run) : inner();
  RobustIncumbent best(problem);
  best.offer(s, problem.certify(s, run));
  best.offer(next, problem.certify(next, run));
  best.best.solver = next.solver;
  return best.best;
}

}  // namespace dualmargin::robust
