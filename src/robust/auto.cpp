// The default: which of the methods of this family, in which order.
//
// The interior point method as long as its matrix is affordable, beyond that restarted PDHG.
// Whoever ends without a certificate is followed by the other, from the better primal and the
// better dual point so far. A start that is within the tolerance is the end of the run.
#include "robust/cost_model.h"
#include "robust/solvers.h"
#include "run/relay.h"

namespace dualmargin::robust {

Solution automatic(const RobustSvm& problem, const Solution& start, Run& run) {
  const auto inner = [&](const Solution&) { return interior_point(problem, run); };
  const auto outer = [&](const Solution& s) { return pdhg(problem, s, run); };
  const auto better = [&](Solution before, Solution after) {
    Best best = problem.null_point();
    problem.offer(best, before, problem.certify(before, run));
    problem.offer(best, after, problem.certify(after, run));
    return Solution{best.primal(), best.dual(), after.solver};
  };
  const cost::Step step = cost::step(problem);
  const auto as_given = [&](const Solution& s) {
    Solution known = s;
    known.solver = step.affordable() ? "interior_point" : "pdhg";
    run.proceed([&] { return problem.certify(known, run); }, 0);
    return known;
  };
  const auto complete = [](const Solution& s) { return s.w.size() > 0 && s.alpha.size() > 0; };
  std::vector<Stage<Solution>> stages{{{}, as_given, complete}, {{}, outer}};
  if (step.possible()) {
    stages.insert(step.affordable() ? stages.begin() + 1 : stages.end(), {{}, inner});
  }
  return relay(start, stages, run, better);
}

}  // namespace dualmargin::robust
