// The loop condition of every solver. Interrupts, the clock, the trace, progress and the decision
// to stop live here, so that no solver can forget one and none of them needs to know R.
//
// The limit on seconds holds inside a step too. tick(), once a block of work, says whether there is
// time left. What is told no (a factorisation, a Gram matrix, conjugate gradients) leaves at once,
// its result unusable; a solver whose step was cut short, `!monitor.in_time()`, does not take it
// but returns the best point it has, and the run counts as ended by max_seconds. A pass over the
// rows is finished in any case: an honest certificate of that point costs one.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "run/solution.h"

namespace dualmargin {

class Monitor {
 public:
  struct Limits {
    double tol = 1e-6, max_epochs = 1000, max_seconds = HUGE_VAL;
    bool every_epoch = false;  // a certificate whenever it is offered, whatever it costs
    // when the fit began, set-up included; anew for each further problem of the same call
    std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
    void restart() { started = std::chrono::steady_clock::now(); }
  };
  // How many certificates without 10 % progress of the gap, and how many epochs, mean "stalled".
  static constexpr int patience_checks = 12;
  static constexpr double patience_epochs = 30;

  // poll: throws when the user asked to stop. report: shows (epoch, relative gap), may do nothing.
  Monitor(Limits limits, double null_value, std::function<void()> poll,
          std::function<void(double, double)> report)
      : limits_(limits),
        null_value_(null_value),
        poll_(std::move(poll)),
        report_(std::move(report)),
        last_poll_(limits.started) {}

  // True while the solver should go on. `certify` returns the certificate of the current point and
  // costs `price` epochs: one that comes free with the gradient is asked for every time, another at
  // epochs 1, 2, 3, 4, 6, 9, 13, ..., half as late again each time, and whenever all of them
  // together take at most a fifth of the work. The schedule counts work and not seconds, since a
  // run must not depend on how busy the machine is.
  template <class Certify>
  bool proceed(double epoch, Certify certify, double price = 1) {
    poll();
    epoch_ = epoch;
    const bool stage_over = epoch >= stage_start_ + stage_.epochs;
    if (!exhausted(epoch) && !stage_over && !due(epoch, price)) return true;
    finished_ = !record(epoch, certify()) || out_of_budget(epoch);
    return !finished_ && !stage_over && !hopeless(epoch);
  }

  // A run inside this one, with limits of its own that are no stricter.
  Monitor inner(double tol, double max_epochs) const {
    Limits limits = limits_;
    limits.tol = std::max(tol, limits_.tol);
    limits.max_epochs = std::min(max_epochs, limits_.max_epochs - epoch_);
    return Monitor(limits, null_value_, poll_, [](double, double) {});
  }

  // Inside a long epoch or factorisation: once a block of work, or once a row. False: the time is
  // over, and so is the step.
  bool tick() {
    poll();
    return in_time();
  }
  bool in_time() {
    late_ = late_ || seconds() >= limits_.max_seconds;
    return !late_;
  }
  void tick_rows(Index i) {
    if (i % 256 == 255) poll();
  }

  // What this run works on was cut short by the clock.
  void cut_short() { late_ = true; }

  // For loops inside a step, which have no certificate of their own.
  bool exhausted(double epoch) const {
    return epoch >= limits_.max_epochs || seconds() >= limits_.max_seconds;
  }
  // Work done since the last call of proceed(); returns the epoch reached.
  double spend(double epochs) { return epoch_ += epochs; }
  void count_step() { ++steps_; }
  long steps() const { return steps_; }

  // The strong convexity below which a method does not converge. False, and the end of the run,
  // where it is missed; the figure is kept either way.
  bool require_strength(double strength, double threshold) {
    threshold_ = threshold;
    finished_ = !(strength > threshold);
    if (finished_) status_ = Status::refused;
    return !finished_;
  }
  double threshold() const { return threshold_; }

  // How long a stage of a run may take. After `trial` epochs it goes on only while the rate of the
  // second half of them, kept up, reaches the tolerance within `worth` more.
  struct Stage {
    double epochs = HUGE_VAL, trial = HUGE_VAL, worth = HUGE_VAL;
  };
  // A new stage (another solver) gets fresh patience.
  void new_stage() { new_stage(Stage()); }
  void new_stage(const Stage& stage) {
    stage_ = stage;
    stage_start_ = epoch_;
    stage_row_ = trace_.size();
    renew_patience();
  }
  // The stage goes on, but what it works at has changed.
  void renew_patience() {
    finished_ = false;
    best_gap_ = HUGE_VAL;
    checks_without_progress_ = 0;
    progress_epoch_ = epoch_;
  }

  // For a method that is known to stand still for long before it falls again: how much of the run
  // so far may pass without progress.
  void be_patient(double share) { patience_share_ = share; }

  bool within_tolerance(const Certificate& c) const {
    return !c.estimated && c.possible(null_value_) && c.relative_gap(null_value_) <= limits_.tol;
  }
  double tolerance() const { return limits_.tol; }
  double most_epochs() const { return limits_.max_epochs; }
  double seconds() const {
    return std::chrono::duration<double>(clock::now() - limits_.started).count();
  }
  double epoch() const { return epoch_; }
  // A run that left because a step was cut short neither certified nor stalled.
  Status status() const {
    return late_ && status_ == Status::stalled ? Status::max_seconds : status_;
  }
  // Certified, or stopped by a limit: whatever runs next has nothing to add. A method that stalled
  // has not ended the run, another may go on.
  bool ended() const { return late_ || (finished_ && status_ != Status::stalled); }
  double null_value() const { return null_value_; }
  const std::vector<TraceRow>& trace() const { return trace_; }

 private:
  using clock = std::chrono::steady_clock;

  void poll() {
    const auto now = clock::now();
    if (std::chrono::duration<double>(now - last_poll_).count() < 0.05) return;
    last_poll_ = now;
    poll_();
  }

  bool due(double epoch, double price) {
    if (price == 0 || limits_.every_epoch) return true;
    if (epoch < next_due_ && !(spent_ + price <= 0.2 * epoch)) return false;
    spent_ += price;
    next_due_ = std::max(epoch + 1, std::floor(1.5 * epoch));
    return true;
  }

  bool record(double epoch, const Certificate& c) {
    trace_.push_back({epoch, seconds(), c.value, c.bound, c.gap});
    const double relative = c.relative_gap(null_value_);
    report_(epoch, relative);
    if (!std::isfinite(c.value) || std::isnan(c.gap)) {
      status_ = Status::not_finite;
      return false;
    }
    if (within_tolerance(c)) {
      status_ = Status::certified;
      return false;
    }
    if (c.possible(null_value_) && c.gap < 0.9 * best_gap_) {
      best_gap_ = c.gap;
      checks_without_progress_ = 0;
      progress_epoch_ = epoch;
      return true;
    }
    ++checks_without_progress_;
    if (checks_without_progress_ < patience_checks) return true;
    // A slow but steady method is not stuck: after a long run patience is a share of it.
    const double patience = std::max(patience_epochs, patience_share_ * epoch);
    const double checks = std::max(4.0 * patience_checks, patience_share_ * trace_.size());
    if (epoch - progress_epoch_ < patience && checks_without_progress_ < checks) return true;
    status_ = Status::stalled;
    return false;
  }

  bool hopeless(double epoch) const {
    if (epoch < stage_start_ + stage_.trial || trace_.size() < stage_row_ + 2) return false;
    const TraceRow& last = trace_.back();
    auto first = trace_.end() - 2;
    const double middle = stage_start_ + 0.5 * (epoch - stage_start_);
    while (first->epoch > middle && first - trace_.begin() > static_cast<long>(stage_row_)) --first;
    const double rate = std::log(first->gap / last.gap) / (last.epoch - first->epoch);
    const double size = std::max(std::abs(last.value), std::abs(last.bound));
    return !(rate * stage_.worth >= std::log(last.gap / (limits_.tol * size)));
  }

  bool out_of_budget(double epoch) {
    if (epoch >= limits_.max_epochs) {
      status_ = Status::max_epochs;
      return true;
    }
    if (seconds() >= limits_.max_seconds) {
      status_ = Status::max_seconds;
      return true;
    }
    return false;
  }

  Limits limits_;
  double null_value_;
  std::function<void()> poll_;
  std::function<void(double, double)> report_;
  clock::time_point last_poll_;
  double epoch_ = 0, spent_ = 0, next_due_ = 1, threshold_ = 0, best_gap_ = HUGE_VAL,
         progress_epoch_ = 0, patience_share_ = 0.2;
  int checks_without_progress_ = 0;
  Stage stage_;
  double stage_start_ = 0;
  std::size_t stage_row_ = 0;
  long steps_ = 0;
  bool finished_ = false, late_ = false;
  Status status_ = Status::stalled;
  std::vector<TraceRow> trace_;
};

}  // namespace dualmargin
