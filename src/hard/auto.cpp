// The default: a fast method until the support is nearly known, then the exact active set.
//
//   columns   dual coordinate descent to a gap of 3e-2, at most 50 passes; a free intercept is a
//             coordinate of its own there, regularised; where these cost less than they spare
//   kernel    SMO to a gap of 1e-4, at most 300 passes; exact where the support is below 2500
//
// An active set that outgrows its memory hands over to the method for large supports.
#include <utility>

#include "hard/solvers.h"
#include "run/relay.h"

namespace dualmargin::hard {

namespace {

// The better w and the better q. Of equal ones those of the later method; where it has met a null
// combination, that.
Solution better(Solution before, Solution after) {
  if (before.low.value > after.low.value) static_cast<Primal&>(after) = std::move(before);
  const double bound = after.high.value + after.high.rounding;
  if (after.separable && before.high.value + before.high.rounding < bound) {
    static_cast<Dual&>(after) = std::move(before);
  }
  return after;
}

}  // namespace

Solution automatic(const HardMargin& problem, const AutoOptions& options, Sampler& sampler,
                   Run& run) {
  const bool kernel = problem.rows.is_kernel();
  const auto by_smo = [&](const Solution& s) {
    return smo(problem, options.cache_bytes, s.q, run);
  };
  const auto rows = [&](const Solution& s) {
    return dual_descent(problem, DualDescentOptions(), s.c, sampler, run);
  };
  const auto rows_with_constant = [&](const Solution& s) {
    return dual_descent(problem, {true, problem.free_intercept ? 1.0 : 0.0}, s.c, sampler, run);
  };
  const auto exact = [&](const Solution& s) {
    return active_set(problem, options.exact, s.q, run);
  };
  const auto few = [&](const Solution& s) {
    return !kernel || count_nonzero(s.q) < CostModel::few_of_kernel;
  };
  const auto unfinished = [](const Solution& s) { return !s.finished; };

  StopRule rough;
  rough.tol = kernel ? CostModel::rough_gap_of_kernel : CostModel::rough_gap;
  rough.epochs = kernel ? CostModel::rough_epochs_of_kernel : CostModel::rough_epochs;
  Stage<Solution> warm{rough, rows_with_constant}, rest{StopRule(), rows, unfinished};
  if (kernel) warm.method = by_smo;
  if (kernel || problem.free_intercept) rest.method = by_smo;
  const bool pays = kernel || CostModel::rough_pays(problem.rows.table());
  warm.applies = [&](const Solution&) { return options.warm && pays; };
  return relay(Solution(), {warm, {StopRule(), exact, few}, rest}, run, better);
}

}  // namespace dualmargin::hard
