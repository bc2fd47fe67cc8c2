// One fit in progress: the loop condition of every solver. The clock, the work done, the trace, the
// interrupts and the decision to stop live here, so that no solver can forget one and none of them
// needs to know R.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/function_ref.h"
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
      std::function<void(double, double)> report);

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
  bool proceed(FunctionRef<Certificate()> estimate, FunctionRef<std::optional<Certificate>()> exact,
               double price);
  bool proceed(FunctionRef<std::optional<Certificate>()> exact, double price);

  double most_epochs() const { return limits_.max_epochs; }

  // For loops inside a step, which have no certificate of their own, after so many epochs more.
  bool exhausted(double more = 0);
  bool in_time() { return tick_.in_time(); }

  // The strong convexity below which a method does not converge. False, and the end of the run,
  // where it is missed; the figure is kept either way.
  bool require_strength(double strength, double threshold);
  double threshold() const { return threshold_; }

  // Another method, or another rule for it: nothing of the last stage is left.
  void begin(const StopRule& rule = StopRule());
  // Of this stage only.
  void be_patient(double share) { stage_.be_patient(share); }
  void renew_patience();

  double relative_gap(const Certificate& c) const { return c.relative_gap(null_value_); }
  bool within_tolerance(const Certificate& c) const;
  double tolerance() const { return limits_.tol; }
  Iterate iterate() const { return limits_.iterate; }
  double null_value() const { return null_value_; }
  double seconds() const { return tick_.seconds(); }
  const Stopwatch& watch() const { return tick_.watch(); }
  const std::vector<TraceRow>& trace() const { return trace_; }

  // A run that left because a step was cut short neither certified nor stalled.
  Status status() const;
  // Certified, or stopped by a limit: whatever runs next has nothing to add. A method that stalled
  // has not ended the run, another may go on.
  bool ended() const;

 private:
  bool due(double price);
  // A missing certificate decides nothing; `iterate`: the value at the iterate, where it is known.
  bool decide_exact(std::optional<Certificate> c, double iterate = std::nan(""));
  bool decide(const Certificate& c, bool exact);
  // The pair that decides may be the best so far; the trace follows the iterates.
  void record(const Certificate& c);
  bool go_on();
  bool end(Status status);

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
