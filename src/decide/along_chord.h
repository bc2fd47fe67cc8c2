// The gap of what is interpolated between two solved points, at lambda_1 < lambda_2, of a ridge.
//
// Every convex loss. With theta linear in lambda and k = (1 - theta) lambda_1 / lambda, the pair
// w = k w1 + (1 - k) w2, a = (1 - theta) a1 + theta a2 has, F_jk = (1/W) sum omega FY(z_j, a_k),
//
//   F <= (1-theta) k F11 + theta (1-k) F22 + (1-theta)(1-k) F21 + theta k F12,
//   gap = F + |(1-theta) e1 + theta e2|^2 / (2 lambda),   e = lambda w + u
//
// by the convexity of phi and phi* and since a z is bilinear.
//
// Logistic and squared loss: see smooth_chord.h.
#pragma once

#include <cmath>

#include "decide/along_gap.h"

namespace dualmargin::decide {

// theta, the share of the upper point: linear in lambda, or in 1/lambda, where it is 1 - k.
struct ChordEnds {
  double l1, l2;

  double linear(double lambda) const { return (lambda - l1) / (l2 - l1); }
  double harmonic(double lambda) const { return l2 * (lambda - l1) / ((l2 - l1) * lambda); }
};

// P - P* along the chord in the Hessian's norm: nu^2 psi(nu R), the squared loss nu^2/2.
//   g        e^{t/2} |G_k|_{H^-1} of the two ends, the larger one
//   bend     e^{t/2} ((1/W) sum omega q^2/phi'')^{1/2}
//   linear   of V, theta linear in lambda
//   harmonic that over lambda, of theta linear in 1/lambda
//   largest  R
struct CurvedChord {
  double g = 0, bend = 0, linear = 0, harmonic = 0, largest = 0;
  bool squared = false;

  double nu(double share, double twist) const { return g + share * (1 - share) * (twist + bend); }
  double gap(double step) const;
  double gap_at(const ChordEnds& ends, double lambda, bool by_inverse) const;
  double most(const ChordEnds& ends) const;
};

struct UniversalChord {
  double f12 = 0, f21 = 0;

  double gap_at(const ChordEnds& ends, const PairNumbers& lower, const PairNumbers& upper,
                double lambda) const;
  // The largest: theta (1 - theta) l2/lambda is at most r/(1 + sqrt r)^2, r = l2/l1.
  double most(const ChordEnds& ends, const PairNumbers& lower, const PairNumbers& upper) const;

 private:
  static double length(const PairNumbers& pair) { return std::sqrt(pair.ee) + pair.du; }
};

// What two neighbours prove of all lambdas between them.
struct Chord {
  ChordEnds ends;
  UniversalChord universal;
  bool has_curved = false;
  CurvedChord curved;
};

}  // namespace dualmargin::decide
