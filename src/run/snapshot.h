// The best points of a run while it goes on, for another to go on from. The run offers what it
// certifies, in any thread; what is kept are copies, so that they can be looked at in the middle of
// a step.
#pragma once

#include <mutex>
#include <utility>

#include "base/function_ref.h"
#include "run/incumbent.h"

namespace dualmargin {

// A start is made of it and not a certificate: values and bounds may be estimates.
template <class Primal, class Dual>
class Snapshot {
 public:
  void offer(const Primal& primal, const Dual& dual, const Certificate& c) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (renewed_) best_ = Incumbent<Primal, Dual>();
    renewed_ = false;
    bool newer = false;
    if (std::isfinite(c.value)) newer = best_.offer_primal(primal, c.value);
    if (std::isfinite(c.bound) && c.gap >= 0) newer = best_.offer_dual(dual, c.bound) || newer;
    news_ = news_ || newer;
  }
  // Values from here on are those of another problem: its first points take the place of these.
  void renew() {
    const std::lock_guard<std::mutex> lock(mutex_);
    renewed_ = true;
  }
  // f(best pair); one without a finite value, or bound, has no such point. True: there was something
  // new since the last time.
  bool read(FunctionRef<void(const Incumbent<Primal, Dual>&)> f) {
    const std::lock_guard<std::mutex> lock(mutex_);
    f(best_);
    return std::exchange(news_, false);
  }

 private:
  std::mutex mutex_;
  Incumbent<Primal, Dual> best_;
  bool news_ = false, renewed_ = false;
};

}  // namespace dualmargin
