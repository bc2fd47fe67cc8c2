#include "decide/along_piece.h"

#include <algorithm>
#include <array>

#include "base/rounding.h"

namespace dualmargin::decide {

double Piece::relative_gap() const {
  const double size = interpolated ? bound : value;
  return size > 0 ? gap / size : HUGE_VAL;
}

namespace {

Piece constant_piece(const PenaltyShare& penalty, const PairNumbers& pair, double share,
                     double lambda) {
  return {false, share, penalty.gap(pair, lambda), penalty.value(pair, lambda), 0};
}

}  // namespace

Piece piece_at(const PenaltyShare& penalty, const PairNumbers& pair) {
  Piece piece = constant_piece(penalty, pair, 0, pair.lambda);
  piece.bound = penalty.bound(pair);
  return piece;
}

Piece piece_at(const PenaltyShare& penalty, const PairNumbers& lower, const PairNumbers& upper,
               const Chord& chord, double lambda) {
  const double theta = chord.ends.linear(lambda), inverse = chord.ends.harmonic(lambda);
  Piece best = constant_piece(penalty, lower, 0, lambda);
  const Piece other = constant_piece(penalty, upper, 1, lambda);
  // P is convex, and the optimum at most P of either point
  const double at_lower = best.value, at_upper = other.value;
  if (other.gap < best.gap) best = other;
  const auto between = [&](double share, double gap) {
    if (!(gap < best.gap)) return;
    const double value =
        std::min((1 - share) * at_lower + share * at_upper, std::min(at_lower, at_upper) + gap);
    best = {true, share, gap, value, 0};
  };
  if (penalty.ridge()) between(inverse, chord.universal.gap_at(chord.ends, lower, upper, lambda));
  if (chord.has_curved) {
    between(inverse, chord.curved.gap_at(chord.ends, lambda, true));
    between(theta, chord.curved.gap_at(chord.ends, lambda, false));
  }
  // the optimum is concave in lambda
  best.bound = (1 - theta) * penalty.bound(lower) + theta * penalty.bound(upper);
  if (!best.interpolated) {
    const double slack = rounding::of_value() * best.value;
    best.bound = std::max(best.bound, best.value - best.gap - slack);
  }
  return best;
}

Progress progress_between(const PenaltyShare& penalty, const PairNumbers& lower,
                          const PairNumbers& upper, const Chord& chord, double eps) {
  const double width = std::log(upper.lambda / lower.lambda);
  const double down = penalty.reach(upper, eps, -1), up = penalty.reach(lower, eps, 1);
  const double floor = penalty.bound(lower);
  const auto relative = [&](double gap) {
    return std::isfinite(gap) && floor > 0 ? gap / floor : HUGE_VAL;
  };
  const double curved = chord.has_curved ? relative(chord.curved.most(chord.ends)) : HUGE_VAL;
  const double universal =
      penalty.ridge() ? relative(chord.universal.most(chord.ends, lower, upper)) : HUGE_VAL;
  Progress found;
  found.worst = up >= down ? eps : std::min(curved, universal);
  // the lower point reaches up about as far as the upper one reaches down
  found.growth = std::isnan(down) ? width / 2 : 1.9 * std::log(upper.lambda / down);
  const auto may_grow = [&](double gap, double power) {
    if (!std::isfinite(gap)) return;
    const double step = 0.95 * width * std::pow(eps / std::max(gap, 1e-300), power);
    found.growth = std::max(found.growth, step);
  };
  may_grow(curved, 0.25);
  may_grow(universal, 0.5);
  return found;
}

}  // namespace dualmargin::decide
