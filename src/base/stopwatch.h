// The seconds since a fit began: by the clock of the machine or, where a limit on them is tested, by
// the looks at this watch, each a second later than the last. Then no machine is too fast or too busy.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>

namespace dualmargin {

class Stopwatch {
 public:
  using Clock = std::chrono::steady_clock;

  Stopwatch(Clock::time_point started = Clock::now()) : started_(started) {}
  static Stopwatch of_looks() {
    Stopwatch watch;
    watch.looks_ = std::make_shared<std::atomic<long>>(0);
    return watch;
  }

  // Copies of a watch are looked at as one, in any thread.
  double seconds() const {
    if (looks_ != nullptr) return static_cast<double>(++*looks_);
    return std::chrono::duration<double>(Clock::now() - started_).count();
  }
  void restart() { *this = looks_ != nullptr ? of_looks() : Stopwatch(); }
  Clock::time_point started() const { return started_; }

 private:
  Clock::time_point started_;
  std::shared_ptr<std::atomic<long>> looks_;  // null: the machine's clock
};

}  // namespace dualmargin
