// The default: which of the methods of this family, in which order.
//
// The interior point method as long as its matrix is affordable, beyond that restarted PDHG.
// Whoever ends without a certificate is followed by the other, from the better primal and the
// better dual point so far.
#pragma once

#include "robust/interior_point.h"
#include "robust/pdhg.h"
#include "run/relay.h"

namespace dualmargin::robust {

template <class Data>
Solution automatic(const RobustSvm<Data>& problem, const Solution& start, Run& run) {
  const auto inner = [&](const Solution&) { return interior_point(problem, run); };
  const auto outer = [&](const Solution& s) { return pdhg(problem, s, run); };
  const auto better = [&](Solution before, Solution after) {
    Best best = problem.null_point();
    problem.offer(best, before, problem.certify(before, run));
    problem.offer(best, after, problem.certify(after, run));
    return Solution{best.primal(), best.dual(), after.solver};
  };
  std::vector<Stage<Solution>> stages{{{}, outer}};
  const cost::Step step = cost::step(problem);
  if (step.possible()) {
    stages.insert(step.affordable() ? stages.begin() : stages.end(), {{}, inner});
  }
  return relay(start, stages, run, better);
}

}  // namespace dualmargin::robust
