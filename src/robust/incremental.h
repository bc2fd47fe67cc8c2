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

#include "robust/robust_svm.h"
#include "run/sampler.h"

namespace dualmargin::robust {

struct StepSchedule {
  enum class Decay {
    geometric,    // alpha_0 rho^(k - 1), for sharp problems: q in {1, inf} and c = 0
    inverse,      // alpha_0 / k, where the optimum grows quadratically
    inverse_root  // alpha_0 / sqrt(k), for any convex problem
  };
  Decay decay = Decay::geometric;
  double first = 1, shrink = 0.9;

  double at(long k) const;
};

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
                 const Solution& start, Sampler& sampler, Run& run);

  // n omega_i / W
  double copies(Index i) const { return problem.n() * problem.share(i); }
  // alpha_k of this epoch
  double step() const { return unit_ * schedule_.at(epoch_); }

  // Whether to go on with another epoch; `until`: with steps above this share of the first only.
  bool proceed(double until);
  bool ended() const { return run_.ended(); }
  bool in_time() { return run_.in_time(); }
  void next_stage() { run_.begin(); }

  // A last certificate, worth as much work again as the state was where the limits of the fit
  // permit.
  Solution finish(const char* solver);

 private:
  static constexpr double recovery_share = 0.1;

  // Without a radius t costs nothing and |w|_q <= t is no constraint.
  void release_t();

  // At most a share epsilon / kappa of the rows is on its second piece at the optimum.
  double mean_slope() const;

  // Whether the run goes on, by a certificate whose multipliers took so much work.
  bool certified(double work, double price);

  StepSchedule schedule_;
  double unit_, least_;
  Run& run_;
  Best best_;
  long epoch_ = 0;
};

// Epochs of subgradient steps while they are longer than `until` times the first (isg.cpp).
void subgradient_epochs(IncrementalRun& state, double until);
// Epochs of proximal steps to the end of the schedule; the step is divided by `batch` (ippa.cpp).
void proximal_epochs(IncrementalRun& state, double batch);

}  // namespace dualmargin::robust
