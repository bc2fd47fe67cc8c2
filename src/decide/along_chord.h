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

#include <algorithm>
#include <cmath>

#include "decide/along_gap.h"
#include "region/ellipsoid.h"

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
  double gap(double step) const {
    if (!std::isfinite(step)) return HUGE_VAL;
    return PenaltyShare::raised *
           (squared ? step * step / 2 : step * step * region::step_factor(step * largest));
  }
  double gap_at(const ChordEnds& ends, double lambda, bool by_inverse) const {
    return by_inverse ? gap(nu(ends.harmonic(lambda), harmonic * lambda))
                      : gap(nu(ends.linear(lambda), linear));
  }
  double most(const ChordEnds& ends) const {
    return gap(nu(0.5, std::min(linear, harmonic * ends.l2)));
  }
};

struct UniversalChord {
  double f12 = 0, f21 = 0;

  double gap_at(const ChordEnds& ends, const PairNumbers& lower, const PairNumbers& upper,
                double lambda) const {
    const double theta = ends.linear(lambda), k = 1 - ends.harmonic(lambda);
    const double off = (1 - theta) * length(lower) + theta * length(upper) +
                       rounding::of_term() * lambda * std::sqrt(std::max(lower.ww, upper.ww));
    return PenaltyShare::raised *
           ((1 - theta) * k * lower.misfit + theta * (1 - k) * upper.misfit +
            (1 - theta) * (1 - k) * f21 + theta * k * f12 + off * off / (2 * lambda));
  }
  // The largest: theta (1 - theta) l2/lambda is at most r/(1 + sqrt r)^2, r = l2/l1.
  double most(const ChordEnds& ends, const PairNumbers& lower, const PairNumbers& upper) const {
    const double r = ends.l2 / ends.l1, root = (1 + std::sqrt(r)) * (1 + std::sqrt(r));
    const double off = std::sqrt(std::max(lower.ee, upper.ee)) + lower.du + upper.du +
                       rounding::of_term() * ends.l2 * std::sqrt(std::max(lower.ww, upper.ww));
    return PenaltyShare::raised * (std::max(lower.misfit, upper.misfit) + f21 * r / root +
                                   f12 / root + off * off / (2 * ends.l1));
  }

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
