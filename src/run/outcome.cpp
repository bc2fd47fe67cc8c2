#include "run/outcome.h"

#include <algorithm>

#include "base/rounding.h"

namespace dualmargin {

Outcome::Outcome(const Certificate& c, bool finite, double floor, const Run& run)
    : certificate(c),
      status(run.status()),
      null_value(run.null_value()),
      rounding_floor(floor),
      threshold(run.threshold()),
      epochs(run.epoch()),
      seconds(run.seconds()),
      steps(run.steps()),
      trace(run.trace()) {
  if (!finite || !std::isfinite(c.value) || std::isnan(c.gap)) {
    status = Status::not_finite;
  } else if (!c.possible(null_value)) {
    status = Status::invalid_bound;
    certificate.drop_bound();
  } else if (status != Status::refused) {
    judge(run.tolerance());
  }
}

void Outcome::judge(double tol) {
  const double relative = certificate.relative_gap(null_value);
  if (relative <= tol) {
    status = Status::certified;
    return;
  }
  if (status == Status::certified) status = Status::stalled;
  const double size = certificate.gap > 0 ? relative / certificate.gap : 0;
  rounding_floor = std::max(rounding_floor, certificate.rounding * size);
  // near the floor a run either stalls or burns its epochs
  const double reach = (status == Status::stalled ? 1e3 : 10) * rounding_floor + rounding::of_many;
  if (relative <= reach) status = Status::rounding_floor;
}

}  // namespace dualmargin
