// The default: which of the methods of this family, in which order, for how long.
//
// SMO for the plain hinge and the quantile loss, whatever the intercept: their dual problem is a
// quadratic program with most variables at a bound, which blocks of coordinate steps approach
// slowly. On kernlab's spam data and on 10,000 rows of magic04, hinge at cost 100, without
// intercept, it took 12 and 17 epochs to a relative gap of 1e-4 where the blocks took more than 230
// and 131. Where SMO stalls the blocks go on from its dual point.
//
// Dual ascent by blocks for all but small problems with a smooth loss, whose Newton steps are
// cheaper than its epochs. Where ascent is slow - its rate promises more epochs than Newton's
// method would need - or stalls, Newton's method follows, as long as its matrix is affordable.
#pragma once

#include "kernel/block_sdca.h"
#include "kernel/cost_model.h"
#include "kernel/newton.h"
#include "kernel/smo.h"
#include "run/relay.h"

namespace dualmargin::kernel {

// The better function and the better dual point of two solutions of a relay, by the scores they
// carry. A function without its dual point has coefficients of its own, and their rounding; so the
// pair has to be better than both solutions.
template <class Problem, class Solution>
Solution better(const Problem& problem, Solution before, Solution after, Tick& tick) {
  const Certificate first = problem.estimate(before, before, tick),
                    second = problem.estimate(after, after, tick);
  before.solver = after.solver;
  const bool primal = second.value > first.value;
  const bool dual = second.bound < first.bound;
  Solution pair = primal ? before : after;
  if (primal != dual) {
    if (pair.beta.size() == 0) pair.beta = problem.coefficients(pair);
    static_cast<typename Problem::Dual&>(pair) = primal ? after : before;
    const double gap = problem.estimate(pair, pair, tick).gap;
    if (gap >= std::min(first.gap, second.gap)) pair = first.gap < second.gap ? before : after;
  }
  return pair;
}

inline Solution automatic(const KernelProblem& problem, const SmoOptions& pairs,
                          const Solution& start, Sampler& sampler, Run& run) {
  const Index n = problem.n();
  const bool smooth = problem.loss.smooth();
  using Method = std::function<Solution(const Solution&)>;
  const Method blocks = [&](const Solution& from) {
    return block_sdca(problem, BlockSdcaOptions(), from, sampler, run);
  };
  const Method by_newton = [&](const Solution& from) { return newton(problem, from, run); };
  const Method by_pairs = [&](const Solution& from) { return smo(problem, pairs, from, run); };
  std::vector<Stage<Solution>> stages;
  if (!smooth) stages.push_back({StopRule(), by_pairs});
  if (smooth && n <= CostModel::newton_at_once) stages.push_back({StopRule(), by_newton});
  const bool then = smooth && stages.empty() && n <= CostModel::most_newton;
  stages.push_back({then ? CostModel::before_newton(n) : StopRule(), blocks});
  if (then) stages.push_back({StopRule(), by_newton});
  return relay<Solution>(start, stages, run, [&](Solution before, Solution after) {
    return better(problem, std::move(before), std::move(after), run);
  });
}

}  // namespace dualmargin::kernel
