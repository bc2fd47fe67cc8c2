// The default: which of the methods of this wing, in which order.
//
// The interior point method as long as its matrix is affordable, in memory and against the passes
// that restarted PDHG needs instead; then PDHG. Whoever ends without a certificate is followed by
// the other, from the better primal and the better dual point so far.
#pragma once

#include "robust/interior_point.h"
#include "robust/pdhg.h"

namespace dualmargin {

constexpr Index most_interior_columns = 3000;

// A factorisation costs d^3 / 3, the weighted Gram matrix the sum of nnz_i^2 / 2, and some thirty
// are needed; PDHG takes hundreds to tens of thousands of steps of 4 nnz.
template <class Data>
bool matrix_pays(const RobustSvm<Data>& problem) {
  constexpr double steps_of_pdhg = 5000, iterations = 30;
  const double d = static_cast<double>(problem.x.dim());
  if (problem.x.dim() > most_interior_columns) return false;
  double nonzeros = 0, squares = 0;
  for (Index i = 0; i < problem.n(); ++i) {
    const double row = static_cast<double>(problem.x.nonzeros(i));
    nonzeros += row;
    squares += row * row;
  }
  return iterations * (squares / 2 + d * d * d / 3) <= steps_of_pdhg * 4 * nonzeros ||
         problem.x.dim() <= most_interior_columns / 3;
}

template <class Data>
RobustPoint automatic(const RobustSvm<Data>& problem, const RobustPoint& start, Monitor& monitor) {
  const auto inner = [&] { return interior_point(problem, monitor); };
  const bool matrix_first = matrix_pays(problem);
  RobustPoint s = matrix_first ? inner() : pdhg(problem, start, monitor);
  if (monitor.ended() || problem.x.dim() > most_interior_columns) return s;

  monitor.new_stage();
  RobustPoint next = matrix_first ? pdhg(problem, s, monitor) : inner();
  RobustIncumbent best;
  best.offer(s, problem.certify(s, monitor));
  best.offer(next, problem.certify(next, monitor));
  best.best.solver = next.solver;
  return best.best;
}

}  // namespace dualmargin
