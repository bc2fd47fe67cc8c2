// What the incremental methods of the robust family share: the step schedule, the order of the
// rows, certificates and the end of the state.
// J. Li, C. Chen, A. M.-C. So (2020), arXiv:2010.12865, section 2.
//
//   min over |w|_q <= t of (1/n) sum_i (n omega_i / W) f_i,   f_i = t epsilon + c/2 |w|^2 + h_i
//
// A row of weight omega_i counts n omega_i / W times: its step is that many times as long.
//
// differs: a step of the paper is an absolute number; here it is in units of 1 / R^2, R^2 the mean
// squared length of the slopes of the h_i near the optimum, so that a default suits any unit.
// differs: the paper stops when the step falls below a floor and tests no accuracy. Here a small
// gap ends the state, and reaching the floor without one is a stall.
#pragma once

#include "robust/recover_dual.h"
#include "robust/step_schedule.h"
#include "run/visits.h"

namespace dualmargin::robust {

struct IncrementalOptions {
  StepSchedule schedule;
  Order order = Order::cyclic;
  Index batch = 16;
  double floor = 1e-6;  // of the first step
};

class IncrementalRun {
 public:
  const RobustSvm& problem;
  Solution point;  // the iterate; its multipliers are the last ones recovered
  Visits visits;
  const Index batch;

  IncrementalRun(const RobustSvm& problem_, const IncrementalOptions& options,
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

  // n omega_i / W
  double copies(Index i) const { return problem.n() * problem.share(i); }
  // alpha_k of this epoch
  double step() const { return unit_ * schedule_.at(epoch_); }

  // Whether to go on with another epoch; `until`: with steps above this share of the first only.
  bool proceed(double until) {
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
  bool ended() const { return run_.ended(); }
  bool in_time() { return run_.in_time(); }
  void next_stage() { run_.begin(); }

  // A last certificate, worth as much work again as the state was where the limits of the fit
  // permit.
  Solution finish(const char* solver) {
    const double work = std::max(static_cast<double>(epoch_), least_recovery);
    if (run_.status() != Status::certified) certified(work, 0);
    return {best_.primal(), best_.dual(), solver};
  }

 private:
  static constexpr double recovery_share = 0.1;

  // Without a radius t costs nothing and |w|_q <= t is no constraint.
  void release_t() {
    if (!(problem.radius > 0)) point.t = std::numeric_limits<double>::max();
  }

  // At most a share epsilon / kappa of the rows is on its second piece at the optimum.
  double mean_slope() const {
    const double kappa = problem.flip_cost();
    return problem.free_intercept + kappa * std::min(kappa, problem.radius) + problem.mean_square();
  }

  // Whether the run goes on, by a certificate whose multipliers took so much work.
  bool certified(double work, double price) {
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

  StepSchedule schedule_;
  double unit_, least_;
  Run& run_;
  Best best_;
  long epoch_ = 0;
};

}  // namespace dualmargin::robust
