// One fit in progress: the loop condition of every solver. The clock, the work done, the trace, the
// interrupts and the decision to stop live here, so that no solver can forget one and none of them
// needs to know R.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/tick.h"
#include "run/certificate.h"
#include "run/stop_rule.h"

namespace dualmargin {

class Run {
 public:
  struct Limits {
    double tol = 1e-6, max_epochs = 1000, max_seconds = HUGE_VAL;
    bool every_epoch = false;  // a certificate whenever it is offered, whatever it costs
    bool stall = true;         // does a method end whose gap stands still?
    Iterate iterate = Iterate::best;
    Agreement* agreement = nullptr;  // of the ranks that hold the rows; null: all are here
    // when the fit began, set-up included; anew for each further problem of the same call
    Stopwatch watch;
    void restart() { watch.restart(); }
  };

  // stop: throws when the user asked to stop. report: shows (epoch, relative gap), may do nothing.
  Run(const Limits& limits, double null_value, std::function<void()> stop,
      std::function<void(double, double)> report)
      : limits_(limits),
        null_value_(null_value),
        tick_(std::move(stop), limits.watch, limits.max_seconds, limits.agreement),
        report_(std::move(report)) {}

  // What leaf routines get; a run may stand where one is asked for.
  Tick& tick() { return tick_; }
  operator Tick&() { return tick_; }

  // Work, in epochs: it never shrinks, whichever method does it. Returns what there is now.
  double spend(double epochs) { return epoch_ += epochs; }
  double epoch() const { return epoch_; }
  double left() const { return limits_.max_epochs - epoch_; }
  void count_step() { ++steps_; }
  long steps() const { return steps_; }

  // True while the solver should go on. `exact` returns the certificate of the current point,
  // recomputed from the definitions; `estimate` one that comes cheap, of carried or sampled
  // quantities. Where the estimate is within the tolerance the exact certificate is asked for, and
  // it alone can end the run. It may be missing, an empty std::optional: then the run goes on and
  // the trace is not told.
  //
  // One that costs `price` = 0 epochs is looked at every time, another at epochs 1, 2, 3, 4, 6, 9,
  // 13, ..., half as late again each time, and whenever all of them together take at most a fifth
  // of the work. The schedule counts work and not seconds, since a run must not depend on how busy
  // the machine is.
  template <class Estimate, class Exact>
  bool proceed(Estimate estimate, Exact exact, double price) {
    if (!due(price)) return true;
    const Certificate c = estimate();
    return within_tolerance(c) ? decide_exact(exact(), c.iterate) : decide(c, false);
  }
  template <class Exact>
  bool proceed(Exact exact, double price) {
    return due(price) ? decide_exact(exact()) : true;
  }

  double most_epochs() const { return limits_.max_epochs; }

  // For loops inside a step, which have no certificate of their own, after so many epochs more.
  bool exhausted(double more = 0) {
    return epoch_ + more >= limits_.max_epochs || !tick_.in_time();
  }
  bool in_time() { return tick_.in_time(); }

  // The strong convexity below which a method does not converge. False, and the end of the run,
  // where it is missed; the figure is kept either way.
  bool require_strength(double strength, double threshold) {
    threshold_ = threshold;
    finished_ = !(strength > threshold);
    if (finished_) status_ = Status::refused;
    return !finished_;
  }
  double threshold() const { return threshold_; }

  // Another method, or another rule for it: nothing of the last stage is left.
  void begin(const StopRule& rule = StopRule()) {
    stage_ = Progress(rule, epoch_, trace_.size());
    finished_ = false;
  }
  // Of this stage only.
  void be_patient(double share) { stage_.be_patient(share); }
  void renew_patience() {
    finished_ = false;
    stage_.renew(epoch_);
  }

  double relative_gap(const Certificate& c) const { return c.relative_gap(null_value_); }
  bool within_tolerance(const Certificate& c) const {
    return c.possible(null_value_) && relative_gap(c) <= limits_.tol;
  }
  double tolerance() const { return limits_.tol; }
  Iterate iterate() const { return limits_.iterate; }
  double null_value() const { return null_value_; }
  double seconds() const { return tick_.seconds(); }
  const Stopwatch& watch() const { return tick_.watch(); }
  const std::vector<TraceRow>& trace() const { return trace_; }

  // A run that left because a step was cut short neither certified nor stalled.
  Status status() const {
    return tick_.late() && status_ == Status::stalled ? Status::max_seconds : status_;
  }
  // Certified, or stopped by a limit: whatever runs next has nothing to add. A method that stalled
  // has not ended the run, another may go on.
  bool ended() const { return tick_.late() || (finished_ && status_ != Status::stalled); }

 private:
  bool due(double price) {
    tick_.look();
    if (exhausted() || stage_.over(epoch_) || price == 0 || limits_.every_epoch) return true;
    if (epoch_ < next_due_ && !(spent_ + price <= 0.2 * epoch_)) return false;
    spent_ += price;
    next_due_ = std::max(epoch_ + 1, std::floor(1.5 * epoch_));
    return true;
  }

  // A missing certificate decides nothing; `iterate`: the value at the iterate, where it is known.
  bool decide_exact(std::optional<Certificate> c, double iterate = std::nan("")) {
    if (!c) return go_on();
    if (!std::isnan(iterate)) c->iterate = iterate;
    return decide(*c, true);
  }
  bool decide(const Certificate& c, bool exact) {
    const double relative = relative_gap(c);
    record(c);
    report_(epoch_, relative);
    if (!std::isfinite(c.value) || std::isnan(c.gap)) return end(Status::not_finite);
    if (exact && within_tolerance(c)) return end(Status::certified);
    const bool possible = c.possible(null_value_);
    if (!stage_.moves(epoch_, c.gap, possible, trace_.size()) && limits_.stall) {
      end(Status::stalled);
    }
    if (possible && stage_.enough(relative)) return false;
    return go_on() && !stage_.hopeless(epoch_, pairs_, limits_.tol);
  }
  // The pair that decides may be the best so far; the trace follows the iterates.
  void record(const Certificate& c) {
    TraceRow row{epoch_, seconds(), c.value, c.bound, c.gap};
    pairs_.push_back(row);
    if (!std::isnan(c.iterate)) {
      row.value = c.iterate;
      row.gap += c.maximum ? c.value - c.iterate : c.iterate - c.value;
    }
    trace_.push_back(row);
  }
  bool go_on() {
    if (epoch_ >= limits_.max_epochs) return end(Status::max_epochs);
    if (!tick_.in_time()) return end(Status::max_seconds);
    return !finished_ && !stage_.over(epoch_);
  }
  bool end(Status status) {
    finished_ = true;
    status_ = status;
    return false;
  }

  Limits limits_;
  double null_value_;
  Tick tick_;
  std::function<void(double, double)> report_;
  double epoch_ = 0, spent_ = 0, next_due_ = 1, threshold_ = 0;
  long steps_ = 0;
  bool finished_ = false;
  Status status_ = Status::stalled;
  Progress stage_;
  std::vector<TraceRow> trace_, pairs_;
};

}  // namespace dualmargin
