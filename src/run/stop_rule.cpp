#include "run/stop_rule.h"

#include <algorithm>

namespace dualmargin {

bool Progress::moves(double epoch, double gap, bool possible, std::size_t rows) {
  if (possible && gap < 0.9 * best_) {
    best_ = gap;
    checks_ = 0;
    since_ = epoch;
    return true;
  }
  if (++checks_ < patience_checks) return true;
  // A slow but steady method is not stuck: after a long run patience is a share of it.
  const double epochs = std::max(patience_epochs, rule_.patience * epoch);
  const double checks = std::max(4.0 * patience_checks, rule_.patience * static_cast<double>(rows));
  return epoch - since_ < epochs && checks_ < checks;
}

bool Progress::hopeless(double epoch, const std::vector<TraceRow>& trace, double tol) const {
  if (epoch < start_ + rule_.trial || trace.size() < row_ + 2) return false;
  const TraceRow& last = trace.back();
  auto first = trace.end() - 2;
  const double middle = start_ + 0.5 * (epoch - start_);
  while (first->epoch > middle && first - trace.begin() > static_cast<std::ptrdiff_t>(row_)) {
    --first;
  }
  const double rate = std::log(first->gap / last.gap) / (last.epoch - first->epoch);
  const double size = std::max(std::abs(last.value), std::abs(last.bound));
  return !(rate * rule_.worth >= std::log(last.gap / (tol * size)));
}

}  // namespace dualmargin
