// The default: which of the methods of this family, in which order, for how long.
//
// SMO for the plain hinge, the quantile, absolute and epsilon-insensitive loss, whatever the
// intercept: their dual problem is a quadratic program with most variables at a bound, which blocks
// of coordinate steps approach slowly. On kernlab's spam data and on 10,000 rows of magic04, hinge
// at cost 100, without intercept, it took 12 and 17 epochs to a relative gap of 1e-4 where the
// blocks took more than 230 and 131. Where its rate promises no end before that of the interior
// point method, as at a large cost with a smooth kernel, that follows, as long as its matrix is
// affordable, then SMO from there, and the blocks where SMO stalls: neither of the two is the last
// word on fewer rows.
//
// Dual ascent by blocks for all but small problems with a smooth loss, whose Newton steps are
// cheaper than its epochs. Where ascent is slow - its rate promises more epochs than Newton's
// method would need - or stalls, Newton's method follows, as long as its matrix is affordable; the
// blocks go on where rounding ends its steps before the tolerance.
//
// The softmax problem likewise: a good kernel needs some ten epochs of blocks. Its Newton steps
// have a matrix for each class.
#include <algorithm>
#include <utility>
#include <vector>

#include "kernel/cost_model.h"
#include "kernel/solvers.h"
#include "run/relay.h"

namespace dualmargin::kernel {

namespace {

// The better function and the better dual point of two solutions of a relay, by the scores they
// carry. A function without its dual point has coefficients of its own, and their rounding; so the
// pair has to be better than both solutions.
template <class Problem, class Solution = typename Problem::Solution>
Solution better(const Problem& problem, Solution before, Solution after, Tick& tick) {
  const Certificate first = problem.estimate(before, before, tick),
                    second = problem.estimate(after, after, tick);
  before.solver = after.solver;
  const bool primal = second.value > first.value;
  const bool dual = second.bound < first.bound;
  Solution pair = primal ? before : after;
  if (primal != dual) {
    if (pair.beta.size() == 0) pair.beta = problem.coefficients(pair);
    pair.a = (primal ? after : before).a;
    const double gap = problem.estimate(pair, pair, tick).gap;
    if (gap >= std::min(first.gap, second.gap)) pair = first.gap < second.gap ? before : after;
  }
  return pair;
}

template <class Problem, class Solution = typename Problem::Solution>
Stage<Solution> by_blocks(const Problem& problem, Sampler& sampler, Run& run,
                          const StopRule& rule = StopRule()) {
  return {rule, [&](const Solution& from) {
            return block_sdca(problem, BlockSdcaOptions(), from, sampler, run);
          }};
}
template <class Problem, class Solution = typename Problem::Solution>
Stage<Solution> by_newton(const Problem& problem, Run& run) {
  return {StopRule(), [&](const Solution& from) { return newton(problem, from, run); }};
}
template <class Problem, class Solution = typename Problem::Solution>
Solution one_by_one(const Problem& problem, const std::vector<Stage<Solution>>& stages,
                    const Solution& start, Run& run) {
  return relay(start, stages, run, [&](Solution before, Solution after) {
    return better(problem, std::move(before), std::move(after), run);
  });
}

}  // namespace

Solution automatic(const KernelProblem& problem, const SmoOptions& smo_options,
                   const InteriorPointOptions& inner_options, const Solution& start,
                   Sampler& sampler, Run& run) {
  const Index n = problem.n();
  const auto blocks = by_blocks(problem, sampler, run);
  if (!problem.losses.smooth()) {
    const auto by_smo = [&](const Solution& from) { return smo(problem, smo_options, from, run); };
    const auto inner = [&](const Solution& from) {
      return interior_point(problem, inner_options, from, run);
    };
    const StopRule no_limit;
    if (n > CostModel::most_inner)
      return one_by_one(problem, {{no_limit, by_smo}, blocks}, start, run);
    return one_by_one(problem,
                      {{CostModel::before_inner(n), by_smo},
                       {no_limit, inner},
                       {CostModel::after_inner(n), by_smo},
                       blocks},
                      start, run);
  }
  const auto second = by_newton(problem, run);
  if (n <= CostModel::newton_at_once) return one_by_one(problem, {second, blocks}, start, run);
  if (n > CostModel::most_newton) return one_by_one(problem, {blocks}, start, run);
  const auto first = by_blocks(problem, sampler, run, CostModel::before_newton(n));
  return one_by_one(problem, {first, second, blocks}, start, run);
}

SoftmaxSolution automatic(const SoftmaxProblem& problem, const SoftmaxSolution& start,
                          Sampler& sampler, Run& run) {
  const double n = static_cast<double>(problem.n()),
               entries = n * n * static_cast<double>(problem.losses.classes());
  const auto blocks = by_blocks(problem, sampler, run);
  if (entries > CostModel::most_softmax_entries) return one_by_one(problem, {blocks}, start, run);
  const StopRule trial = CostModel::before_softmax_newton(problem.n());
  return one_by_one(problem,
                    {by_blocks(problem, sampler, run, trial), by_newton(problem, run), blocks},
                    start, run);
}

}  // namespace dualmargin::kernel
