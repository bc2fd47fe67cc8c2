// The default: which of the methods of this family, in which order, for how long.
//
// SMO for the plain hinge, whatever the intercept: its dual problem is a quadratic program with
// most variables at a bound, which blocks of coordinate steps approach slowly. On kernlab's spam
// data and on 10,000 rows of magic04 at cost 100, without intercept, it took 12 and 17 epochs to a
// relative gap of 1e-4 where the blocks took more than 230 and 131. Where SMO stalls the blocks go
// on from its dual point.
//
// Dual ascent by blocks for all but small problems with a smooth loss, whose Newton steps are
// cheaper than its epochs. Where ascent is slow - its rate promises more epochs than Newton's
// method would need - or stalls, Newton's method follows, as long as its matrix is affordable.
#pragma once

#include "kernel/block_sdca.h"
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
  const bool primal = first.value<second.value, dual = first.bound> second.bound;
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
  constexpr Index small = 500, most = 6000;
  const Index n = problem.n();
  const bool smooth = problem.row_loss.smooth(), affordable = n > small && n <= most;
  const Stage<Solution> by_blocks{StopRule(),
                                  [&](const Solution& from) {
                                    return block_sdca(problem, BlockSdcaOptions(), from, sampler,
                                                      run);
                                  },
                                  nullptr};
  const Stage<Solution> by_newton{
      StopRule(), [&](const Solution& from) { return newton(problem, from, run); }, nullptr};
  const Stage<Solution> by_pairs{
      StopRule(), [&](const Solution& from) { return smo(problem, pairs, from, run); }, nullptr};
  // a Newton step costs about n / 12 epochs, and some eight of them finish
  Stage<Solution> trial = by_blocks;
  trial.rule = {HUGE_VAL, 30, n / 1.5};
  std::vector<Stage<Solution>> stages{by_blocks};
  if (!smooth) stages = {by_pairs, by_blocks};
  if (smooth && n <= small) stages = {by_newton, by_blocks};
  if (smooth && affordable) stages = {trial, by_newton};
  return relay<Solution>(start, stages, run, [&](Solution before, Solution after) {
    return better(problem, std::move(before), std::move(after), run);
  });
}

}  // namespace dualmargin::kernel
