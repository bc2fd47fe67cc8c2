#include "robust/incremental.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "robust/recover_dual.h"

namespace dualmargin::robust {

double StepSchedule::at(long k) const {
  const double epoch = static_cast<double>(k);
  switch (decay) {
    case Decay::geometric:
      return first * std::pow(shrink, epoch - 1);
    case Decay::inverse:
      return first / epoch;
    default:
      return first / std::sqrt(epoch);
  }
}

IncrementalRun::IncrementalRun(const RobustSvm& problem_, const IncrementalOptions& options,
                               const Solution& start, Sampler& sampler, Run& run)
    : problem(problem_),
      point(starting_point(problem_, start)),
      visits(problem_.n(), options.order, sampler, run),
      batch(std::min(options.batch, problem_.n())),
      schedule_(options.schedule),
      unit_(1 / std::max(mean_slope(), 1e-300)),
      least_(options.floor),
      run_(run),
      best_(problem_.null_point(run.iterate())) {
  release_t();
}

bool IncrementalRun::proceed(double until) {
  run_.spend(epoch_ > 0);
  if (!point.finite(
          problem.rows)) {  // steps too long for double precision: there is no next iterate
    point = {best_.primal(), best_.dual()};
    release_t();
    return false;
  }
  const bool more = schedule_.at(epoch_ + 1) > std::max(until, least_) * schedule_.first;
  if (!more) return false;
  // a gap that does not fall says nothing while the steps still do
  const double work = recovery_share * epoch_;
  if (!certified(work, 2 + work)) {
    if (run_.ended()) return false;
    run_.begin();
  }
  ++epoch_;
  run_.count_step();
  return true;
}

Solution IncrementalRun::finish(const char* solver) {
  const double work = std::max(static_cast<double>(epoch_), least_recovery);
  if (run_.status() != Status::certified) certified(work, 0);
  return {best_.primal(), best_.dual(), solver};
}

void IncrementalRun::release_t() {
  if (!(problem.radius > 0)) point.t = std::numeric_limits<double>::max();
}

double IncrementalRun::mean_slope() const {
  const double kappa = problem.flip_cost();
  return problem.free_intercept + kappa * std::min(kappa, problem.radius) + problem.mean_square();
}

bool IncrementalRun::certified(double work, double price) {
  const auto recovered = [&] {
    Solution s = point;
    recover_dual(problem, s, work, run_);
    run_.spend(1);
    const Certificate c = problem.offer(best_, s, problem.certify(s, run_));
    point.alpha = s.alpha;
    point.beta = s.beta;
    return c;
  };
  return run_.proceed(
      recovered, [&] { return problem.certify(best_, run_); }, price);
}

}  // namespace dualmargin::robust
