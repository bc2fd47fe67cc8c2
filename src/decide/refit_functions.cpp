#include "decide/refit_functions.h"

#include <utility>

namespace dualmargin::decide {

kernel::Solution FunctionRefits::solve(const region::Samples& samples, double lambda, bool free,
                                       const kernel::Solution& start, double tol,
                                       Tick& tick) const {
  const kernel::KernelProblem problem(
      FunctionSpace(gram, gram, size, samples.weights.local(), lambda),
      {loss, samples.y, samples.weights, free, samples.team, samples.total_weight});
  return refit(problem, start, tol, tick);
}

}  // namespace dualmargin::decide
