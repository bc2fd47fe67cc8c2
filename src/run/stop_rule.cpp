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

Progress::Row Progress::row_before(double epoch, Row row, const std::vector<TraceRow>& trace) const {
  while (row->epoch > epoch && row - trace.begin() > static_cast<std::ptrdiff_t>(row_)) --row;
  return row;
}

bool Progress::hopeless(double epoch, const std::vector<TraceRow>& trace, double tol) const {
  if (epoch < start_ + rule_.trial || trace.size() < row_ + 2) return false;
  const Row last = trace.end() - 1;
  const double half = 0.5 * (start_ + epoch);
  const Row first = row_before(half, last - 1, trace);
  double rate = std::log(first->gap / last->gap) / (last->epoch - first->epoch);
  const Row middle = row_before(0.5 * (half + epoch), last - 1, trace);
  if (rule_.ascent && middle - trace.begin() > static_cast<std::ptrdiff_t>(row_)) {
    const Row early = row_before(half, middle - 1, trace);
    const double first_rise = (middle->bound - early->bound) / (middle->epoch - early->epoch);
    const double last_rise = (last->bound - middle->bound) / (last->epoch - middle->epoch);
    // at half its rate, which falls from pass to pass; a bound that stands promises nothing
    if (last_rise > 0) {
      rate = std::max(rate, std::log(first_rise / last_rise) / (last->epoch - early->epoch));
    }
  }
  const double size = std::max(std::abs(last->value), std::abs(last->bound));
  return !(rate * rule_.worth >= std::log(last->gap / (tol * size)));
}

}  // namespace dualmargin
