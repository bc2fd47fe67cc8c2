#include "decide/along_chord.h"

#include <algorithm>

#include "region/ellipsoid.h"

namespace dualmargin::decide {

double CurvedChord::gap(double step) const {
  if (!std::isfinite(step)) return HUGE_VAL;
  return PenaltyShare::raised *
         (squared ? step * step / 2 : step * step * region::step_factor(step * largest));
}

double CurvedChord::gap_at(const ChordEnds& ends, double lambda, bool by_inverse) const {
  return by_inverse ? gap(nu(ends.harmonic(lambda), harmonic * lambda))
                    : gap(nu(ends.linear(lambda), linear));
}

double CurvedChord::most(const ChordEnds& ends) const {
  return gap(nu(0.5, std::min(linear, harmonic * ends.l2)));
}

double UniversalChord::gap_at(const ChordEnds& ends, const PairNumbers& lower,
                              const PairNumbers& upper, double lambda) const {
  const double theta = ends.linear(lambda), k = 1 - ends.harmonic(lambda);
  const double off = (1 - theta) * length(lower) + theta * length(upper) +
                     rounding::of_term() * lambda * std::sqrt(std::max(lower.ww, upper.ww));
  return PenaltyShare::raised *
         ((1 - theta) * k * lower.misfit + theta * (1 - k) * upper.misfit +
          (1 - theta) * (1 - k) * f21 + theta * k * f12 + off * off / (2 * lambda));
}

double UniversalChord::most(const ChordEnds& ends, const PairNumbers& lower,
                            const PairNumbers& upper) const {
  const double r = ends.l2 / ends.l1, root = (1 + std::sqrt(r)) * (1 + std::sqrt(r));
  const double off = std::sqrt(std::max(lower.ee, upper.ee)) + lower.du + upper.du +
                     rounding::of_term() * ends.l2 * std::sqrt(std::max(lower.ww, upper.ww));
  return PenaltyShare::raised * (std::max(lower.misfit, upper.misfit) + f21 * r / root +
                                 f12 / root + off * off / (2 * ends.l1));
}

}  // namespace dualmargin::decide
