// What two neighbouring points of a path say of the lambdas between them.
#pragma once

#include <cmath>

#include "decide/along_chord.h"

namespace dualmargin::decide {

// The best that is known at one lambda: coefficients with so much of the upper point, P there, from
// above where they are interpolated, how far that is above the optimum at most, and a bound on it.
struct Piece {
  bool interpolated = false;
  double share = 0, gap = HUGE_VAL, value = 0, bound = 0;

  // To P, or where that is not known to its lower bound.
  double relative_gap() const;
};

// At a point itself.
Piece piece_at(const PenaltyShare& penalty, const PairNumbers& pair);

Piece piece_at(const PenaltyShare& penalty, const PairNumbers& lower, const PairNumbers& upper,
               const Chord& chord, double lambda);

// Between two points: the smallest that the largest relative gap is known to be, eps where both
// reach each other, and the width in ln lambda that may come out at eps. The gap of constant pieces
// and of the universal chord grows with the square of the width, that of a curved chord with the
// fourth power.
struct Progress {
  double worst = HUGE_VAL, growth = 0;
};

Progress progress_between(const PenaltyShare& penalty, const PairNumbers& lower,
                          const PairNumbers& upper, const Chord& chord, double eps);

}  // namespace dualmargin::decide
