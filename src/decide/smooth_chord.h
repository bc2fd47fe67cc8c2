// Between two solved points of a smooth loss with a ridge: how far w = (1 - th) w1 + th w2, th
// linear in lambda or in 1/lambda, is from the optimum there. With the gradients G_k at the two
// points,
//
//   grad = (1-th) G1 + th G2 + V + (1/W) sum omega e x,   |e_i| <= th (1-th) q_i,
//   V = -th(1-th) (l2 - l1) (w2 - w1), or th(1-th) lambda (l2-l1)/(l1 l2) (l1 w1 - l2 w2),
//
// q_i of Loss::bend(), and with H at the middle of the chord and l1, t = max |z2 - z1|/2,
// R = e^{t/2} max |x|_{H^-1} (a constant coordinate appended to x where the intercept is free),
//
//   nu = e^{t/2} |grad|_{H^-1},   P - P* <= nu^2 psi(nu R)  (logistic),  nu^2/2  (squared)
//
// F. Bach (2010), Electronic Journal of Statistics 4, 384-414, doi:10.1214/09-EJS521. Without a
// free intercept also, any smooth loss, |w* - w| <= |grad|/l1.
#pragma once

#include <memory>
#include <optional>

#include "decide/along_spans.h"
#include "region/secant.h"

namespace dualmargin::decide {

using region::Problem;

bool has_hessian_chord(const Loss& phi, Index dim);

//   g        e^{t/2} |G_k|_{H^-1} of the two ends, the larger one
//   bend     e^{t/2} ((1/W) sum omega q^2/phi'')^{1/2}
//   linear   of V, theta linear in lambda
//   harmonic that over lambda, of theta linear in 1/lambda
//   largest  R
struct HessianChord {
  region::Factor factor;
  double g = 0, bend = 0, linear = 0, harmonic = 0, largest = 0;
  bool squared = false;
  double stretch = 1;  // e^{t/2}
  double base = 0;     // max |x|_{H^-1}, perhaps that of an interval around this one, times `loose`
  double loose = 1;

  double nu(double share, double twist) const { return g + share * (1 - share) * (twist + bend); }
};

// Of an interval that holds others: with H' at l1' >= l1 and scores that differ by s at most,
// H' >= e^{-s} H, so that its norms serve for them.
struct ChordMemory {
  double l1 = 0, base = 0, loose = 1;
  std::shared_ptr<const AlongPoint> lower, upper;
};

// How far the scores in the middle of two chords are apart; of the squared loss no curvature
// depends on them.
double chord_shift(const Problem& at, const AlongPoint& lower, const AlongPoint& upper,
                   const ChordMemory& other);

// Nothing where the two points are too far from one another. at: the problem at the lower penalty.
// parent: of an interval that holds this one, whose largest norm serves; it is computed anew where
// that would cost more than some 4 % in psi.
std::optional<HessianChord> hessian_chord(const Problem& at, const AlongPoint& lower,
                                          const AlongPoint& upper, const ChordMemory* parent,
                                          Tick& tick);

// |w* - w| <= start + th (1 - th) bend, without a free intercept. largest: an upper bound of the
// root of the largest eigenvalue of (1/W) X' Omega X.
struct FlatChord {
  double start, bend;
  bool harmonic;
};

FlatChord flat_chord(const Problem& at, const AlongPoint& lower, const AlongPoint& upper,
                     double largest);

// From above, by the trace of a high power: at most p^{1/128} too large.
double operator_norm(const Problem& at, Tick& tick);

}  // namespace dualmargin::decide
