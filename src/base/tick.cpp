#include "base/tick.h"

#include <utility>

namespace dualmargin {

Tick::Tick(std::function<void()> stop, Stopwatch watch, double max_seconds, Agreement* agreement)
    : stop_(std::move(stop)),
      watch_(std::move(watch)),
      max_seconds_(max_seconds),
      last_(watch_.started()),
      agreement_(agreement) {
  if (agreement_ != nullptr) agreement_->late_here = agreement_->late = false;
}

Tick Tick::of_worker(std::function<void()> stop) const {
  Tick tick(std::move(stop), watch_, max_seconds_);
  tick.agreement_ = agreement_;
  return tick;
}

void Tick::cut_short() {
  if (agreement_ == nullptr) {
    late_ = true;
  } else {
    agreement_->late_here = true;
  }
}

}  // namespace dualmargin
