// How a run ended and how far it is from the optimum: what every wing's report has in common.
#pragma once

#include <vector>

#include "core/monitor.h"

namespace dualmargin {

struct Outcome {
  Certificate certificate;
  Status status = Status::not_finite;
  double null_value = 0, rounding_floor = 0, threshold = 0, epochs = 0, seconds = 0;
  long steps = 0;
  std::vector<TraceRow> trace;

  Outcome() = default;
  // `finite`: is the returned point made of numbers? `floor`: the relative gap rounding permits.
  Outcome(const Certificate& c, bool finite, double floor, const Monitor& monitor)
      : certificate(c),
        status(monitor.status()),
        null_value(monitor.null_value()),
        rounding_floor(floor),
        threshold(monitor.threshold()),
        epochs(monitor.epoch()),
        seconds(monitor.seconds()),
        steps(monitor.steps()),
        trace(monitor.trace()) {
    const double size = std::max({std::abs(c.value), std::abs(c.bound), 1.0});
    const double explained =
        std::max(64 * 2.2e-16 * size, floor * std::max(std::abs(c.value), std::abs(c.bound)));
    // bound > value by more than rounding can explain: not a small gap but a broken point
    if (!finite || !std::isfinite(c.value) || !(c.gap >= -explained)) {
      status = Status::not_finite;
    } else if (status != Status::certified && status != Status::refused) {
      // near the floor a run either stalls or burns its epochs
      const double reach = (status == Status::stalled ? 1e3 : 10) * rounding_floor + 1e-13;
      if (c.relative_gap(null_value) <= reach) status = Status::rounding_floor;
    }
  }
};

}  // namespace dualmargin
