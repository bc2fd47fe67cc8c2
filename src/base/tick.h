// What a leaf routine gets of a fit: has the user asked to stop, and is there time left?
//
// The limit on seconds holds inside a step too. poll(), once a block of work, says whether there is
// time left. What is told no (a factorisation, a Gram matrix, conjugate gradients) leaves at once,
// its result unusable; a solver whose step was cut short, `!tick.in_time()`, does not take it but
// returns the best point it has. A pass over the rows is finished in any case: an honest
// certificate of that point costs one.
//
// With rows on several ranks the time is over when the ranks have agreed that it is.
#pragma once

#include <functional>

#include "base/ranks.h"
#include "base/stopwatch.h"

namespace dualmargin {

class Tick {
 public:
  using Clock = Stopwatch::Clock;

  // stop: throws when the user asked to stop. agreement: of the ranks, null where there is one.
  Tick(std::function<void()> stop, Stopwatch watch, double max_seconds,
       Agreement* agreement = nullptr);

  // Once a block of work. False: the time is over, and so is the step.
  bool poll() {
    look();
    return in_time();
  }
  bool in_time() {
    if (seconds() >= max_seconds_) cut_short();
    return !late();
  }
  // Once a row, in a pass that is finished in any case.
  void row(Index i) {
    if (i % 256 == 255) look();
  }
  // The same clock for another thread, which must not ask the user.
  Tick of_worker(std::function<void()> stop) const;
  // What this run works on was cut short by the clock.
  void cut_short();
  bool late() const { return agreement_ != nullptr ? agreement_->late.load() : late_; }
  double seconds() const { return watch_.seconds(); }
  const Stopwatch& watch() const { return watch_; }
  double max_seconds() const { return max_seconds_; }

  // Asks whether the user wants to stop, at most twenty times a second.
  void look() {
    if (std::chrono::duration<double>(Clock::now() - last_).count() >= 0.05) ask();
  }
  void ask() {
    last_ = Clock::now();
    stop_();
  }

 private:
  std::function<void()> stop_;
  Stopwatch watch_;
  double max_seconds_;
  Clock::time_point last_;
  Agreement* agreement_;
  bool late_ = false;
};

}  // namespace dualmargin
