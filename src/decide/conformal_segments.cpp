#include "decide/conformal_segments.h"

#include <array>

namespace dualmargin::decide {

Segments where_larger(const Line& own, const Line& other, double off) {
  std::array<double, 3> kinks{0, 0, 0};
  if (own.slope != 0) kinks[1] = -own.at / own.slope;
  if (other.slope != 0) kinks[2] = -other.at / other.slope;
  for (double& kink : kinks) {
    if (!std::isfinite(kink)) kink = 0;
  }
  std::sort(kinks.begin(), kinks.end());
  const auto value = [&](double t) {
    return own.size(t) - other.size(t) + off * (1 + std::abs(t));
  };
  const double outward = std::abs(own.slope) - std::abs(other.slope) + off;
  Segments found;
  const auto add = [&](double from, double to) {
    if (!found.empty() && from <= found.back().high) {
      found.back().high = std::max(found.back().high, to);
    } else {
      found.push_back({from, to});
    }
  };
  const double first = value(kinks[0]), last = value(kinks[2]);
  if (outward >= 0 && first >= 0) {
    add(-HUGE_VAL, kinks[0]);
  } else if (outward > 0) {
    add(-HUGE_VAL, kinks[0] + first / outward);
  } else if (first >= 0) {
    add(kinks[0] + first / outward, kinks[0]);
  }
  for (int c = 0; c < 2; ++c) {
    const double from = kinks[c], to = kinks[c + 1], low = value(from), high = value(to);
    if (low >= 0 && high >= 0) {
      add(from, to);
    } else if (low >= 0) {
      add(from, from + (to - from) * (low / (low - high)));
    } else if (high >= 0) {
      add(to - (to - from) * (high / (high - low)), to);
    }
  }
  if (outward >= 0 && last >= 0) {
    add(kinks[2], HUGE_VAL);
  } else if (outward > 0) {
    add(kinks[2] - last / outward, HUGE_VAL);
  } else if (last >= 0) {
    add(kinks[2], kinks[2] - last / outward);
  }
  return found;
}

void SegmentEnds::add(const Segments& of_row) {
  for (const auto& [from, to] : of_row) {
    ends_.push_back({from, false});
    ends_.push_back({to, true});
  }
}

Segments SegmentEnds::at_least(Index k) const {
  Segments found;
  Index count = 0;
  for (const auto& [t, closes] : ends_) {
    if (!closes && ++count == k) found.push_back({t, HUGE_VAL});
    if (closes && count-- == k) found.back().high = t;
  }
  return found;
}

}  // namespace dualmargin::decide
