// The default for a problem of all classes: L-BFGS where a loss is smooth and a matrix for each class
// pays, then Newton's method; elsewhere Newton's method, and before it, where its systems are large or
// the loss has to be smoothed, dual coordinate ascent for as long as its rate promises the tolerance
// soon. A loss that has to be smoothed can keep Newton's method for long: then dual coordinate ascent
// goes on from the better pair before the last word is Newton's.
#include <utility>
#include <vector>

#include "linear/cost_model.h"
#include "linear/joint_solvers.h"
#include "run/relay.h"

namespace dualmargin::linear {

namespace {

auto better_of(const JointProblem& problem, Run& run) {
  return [&](JointSolution before, JointSolution after) {
    return best_of(problem, std::move(before), std::move(after), run);
  };
}

}  // namespace

JointSolution joint_auto(const JointProblem& problem, const JointSolution& start, Sampler& sampler,
                         Run& run) {
  const double size = static_cast<double>(problem.dim() * problem.losses.classes());
  const bool smooth = problem.losses.smooth(), small = size <= cost::joint_size && smooth;
  const auto columns = static_cast<double>(problem.dim());
  const bool renewed = smooth && problem.dim() <= cost::matrix_columns &&
                       columns <= problem.rows.count() && columns * size <= cost::joint_entries &&
                       cost::factor_pays(columns, problem.rows.nonzeros());
  // Newton's method: some eighty products with the Hessian, two looks at the rows for each class
  const seconds::Table table = cost::table(problem.rows);
  const double classes = static_cast<double>(problem.losses.classes()),
               finisher = 160 * classes * table.look();
  StopRule promising;
  promising.trial = 20;
  promising.worth = finisher / cost::dual_pass(table, !smooth, classes);
  const auto dual = [&](const JointSolution& s) {
    return joint_dual_cd(problem, true, s, sampler, run);
  };
  const auto newton = [&](const JointSolution& s) { return joint_newton(problem, s, run); };
  const auto quasi = [&](const JointSolution& s) { return joint_lbfgs(problem, s, &sampler, run); };
  const auto factors = [=](const JointSolution&) { return renewed; };
  const auto pays = [=](const JointSolution&) { return !small && !renewed; };
  const auto smoothed = [=](const JointSolution&) { return !smooth; };
  StopRule attempt, second_try;
  attempt.epochs = 160;
  second_try.epochs = 200;
  const std::vector<Stage<JointSolution>> stages{{{cost::newton_trial}, quasi, factors},
                                                 {promising, dual, pays},
                                                 {attempt, newton, smoothed},
                                                 {second_try, dual, smoothed},
                                                 {StopRule(), newton}};
  return relay(start, stages, run, better_of(problem, run));
}

// With an l1 part Newton's method comes after some steps of FISTA, for as long as these promise the
// tolerance soon and where it is free to choose; where too many columns are in use FISTA goes on.
JointSolution joint_net(const JointProblem& problem, bool choose, const JointSolution& start,
                        Run& run) {
  const bool small = problem.dim() * problem.losses.classes() <= 200;
  StopRule promising;
  promising.trial = 20;
  promising.worth = 100;
  const auto fista = [&](const JointSolution& s) { return joint_fista(problem, true, s, run); };
  const auto newton = [&](const JointSolution& s) { return joint_newton(problem, s, run); };
  const auto pays = [=](const JointSolution&) { return choose && !small; };
  return relay<JointSolution>(start,
                              {{promising, fista, pays}, {StopRule(), newton}, {StopRule(), fista}},
                              run, better_of(problem, run));
}

}  // namespace dualmargin::linear
