#include "run/certificate.h"

#include <algorithm>

namespace dualmargin {

bool Certificate::possible(double null_value) const {
  return gap >= 0 && (maximum || bound <= null_value + rounding + rounding_of(null_value));
}

void Certificate::drop_bound() {
  bound = maximum ? HUGE_VAL : -HUGE_VAL;
  gap = HUGE_VAL;
}

double Certificate::relative_gap(double null_value) const {
  if (!std::isfinite(gap)) return HUGE_VAL;
  constexpr double of_null = 1e-10;
  const double size = std::max({std::abs(value), std::abs(bound), of_null * null_value});
  return size > 0 ? gap / size : gap > 0 ? HUGE_VAL : 0.0;
}

const char* to_string(Status status) {
  switch (status) {
    case Status::certified:
      return "certified";
    case Status::max_epochs:
      return "max_epochs";
    case Status::max_seconds:
      return "max_seconds";
    case Status::stalled:
      return "stalled";
    case Status::rounding_floor:
      return "rounding_floor";
    case Status::refused:
      return "refused";
    case Status::not_separable:
      return "not_separable";
    case Status::no_fixed_point:
      return "no_fixed_point";
    case Status::conditional:
      return "conditional";
    case Status::invalid_bound:
      return "invalid_bound";
    case Status::not_finite:
      return "not_finite";
  }
  return "not_finite";
}

}  // namespace dualmargin
