// The default for a problem of all classes: Newton's method, and before it, where its systems are
// large or the loss has to be smoothed for it, dual coordinate ascent for as long as its rate
// promises the tolerance soon. A loss that has to be smoothed can keep Newton's method for long: then
// dual coordinate ascent goes on from the better pair before the last word is Newton's.
#include <utility>
#include <vector>

#include "linear/cost_model.h"
#include "linear/joint_solvers.h"
#include "run/relay.h"

namespace dualmargin::linear {

JointSolution joint_auto(const JointProblem& problem, const JointSolution& start, Sampler& sampler,
                         Run& run) {
  const double size = static_cast<double>(problem.dim() * problem.classes);
  const bool small = size <= cost::joint_size && problem.loss.smooth;
  // Newton's method: some eighty products with the Hessian, two looks at the rows for each class
  const seconds::Table table = cost::table(problem.rows);
  const double classes = static_cast<double>(problem.classes),
               finisher = 160 * classes * table.look();
  StopRule promising;
  promising.trial = 20;
  promising.worth = finisher / cost::dual_pass(table, !problem.loss.smooth, classes);
  const auto dual = [&](const JointSolution& s) {
    return joint_dual_cd(problem, true, s, sampler, run);
  };
  const auto newton = [&](const JointSolution& s) { return joint_newton(problem, s, run); };
  const auto pays = [=](const JointSolution&) { return !small; };
  const auto smoothed = [&](const JointSolution&) { return !problem.loss.smooth; };
  StopRule attempt, second_try;
  attempt.epochs = 100;
  second_try.epochs = 200;
  const std::vector<Stage<JointSolution>> stages{{promising, dual, pays},
                                                 {attempt, newton, smoothed},
                                                 {second_try, dual, smoothed},
                                                 {StopRule(), newton}};
  return relay(start, stages, run, [&](JointSolution before, JointSolution after) {
    return best_of(problem, std::move(before), std::move(after), run.tick());
  });
}

}  // namespace dualmargin::linear
