#include "run/run.h"

#include <algorithm>
#include <utility>

namespace dualmargin {

Run::Run(const Limits& limits, double null_value, std::function<void()> stop,
         std::function<void(double, double)> report)
    : limits_(limits),
      null_value_(null_value),
      tick_(std::move(stop), limits.watch, limits.max_seconds, limits.agreement),
      report_(std::move(report)) {}

bool Run::proceed(FunctionRef<Certificate()> estimate,
                  FunctionRef<std::optional<Certificate>()> exact, double price) {
  if (!due(price)) return true;
  const Certificate c = estimate();
  return within_tolerance(c) ? decide_exact(exact(), c.iterate) : decide(c, false);
}
bool Run::proceed(FunctionRef<std::optional<Certificate>()> exact, double price) {
  return due(price) ? decide_exact(exact()) : true;
}

bool Run::exhausted(double more) {
  const double epoch = epoch_ + more;
  return epoch >= limits_.max_epochs || stage_.over(epoch) || !tick_.in_time();
}

bool Run::require_strength(double strength, double threshold) {
  threshold_ = threshold;
  finished_ = !(strength > threshold);
  if (finished_) status_ = Status::refused;
  return !finished_;
}

void Run::begin(const StopRule& rule) {
  stage_ = Progress(rule, epoch_, trace_.size());
  finished_ = false;
}
void Run::renew_patience() {
  finished_ = false;
  stage_.renew(epoch_);
}

bool Run::within_tolerance(const Certificate& c) const {
  return c.possible(null_value_) && relative_gap(c) <= limits_.tol;
}

Status Run::status() const {
  return tick_.late() && status_ == Status::stalled ? Status::max_seconds : status_;
}
bool Run::ended() const { return tick_.late() || (finished_ && status_ != Status::stalled); }

bool Run::due(double price) {
  tick_.look();
  if (exhausted() || price == 0 || limits_.every_epoch) return true;
  if (epoch_ < next_due_ && !(spent_ + price <= 0.2 * epoch_)) return false;
  spent_ += price;
  next_due_ = std::max(epoch_ + 1, std::floor(1.5 * epoch_));
  return true;
}

bool Run::decide_exact(std::optional<Certificate> c, double iterate) {
  if (!c) return go_on();
  if (!std::isnan(iterate)) c->iterate = iterate;
  return decide(*c, true);
}

bool Run::decide(const Certificate& c, bool exact) {
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

void Run::record(const Certificate& c) {
  TraceRow row{epoch_, seconds(), c.value, c.bound, c.gap};
  pairs_.push_back(row);
  if (!std::isnan(c.iterate)) {
    row.value = c.iterate;
    row.gap += c.maximum ? c.value - c.iterate : c.iterate - c.value;
  }
  trace_.push_back(row);
}

bool Run::go_on() {
  if (epoch_ >= limits_.max_epochs) return end(Status::max_epochs);
  if (!tick_.in_time()) return end(Status::max_seconds);
  return !finished_ && !stage_.over(epoch_);
}

bool Run::end(Status status) {
  finished_ = true;
  status_ = status;
  return false;
}

}  // namespace dualmargin
