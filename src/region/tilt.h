// A free intercept by tilting the problem towards the score of one row x (ridge): for T > 0 the
// dual point a + tau h, tau = T / sum omega h, of which sum omega (a + tau h) = T, is one of P -
// (T/W) f(x), so the optimal score is at most
//
//   f(x) + [sum_i omega_i FY(z_i, a_i + tau h_i) + |e - T (x - c)|^2 / (2 kappa)] / T,
//
// kappa = mu W, e = kappa w + sum omega a x, c = sum omega h x / sum omega h; T < 0 gives the lower
// end. The rows enter by the sums for a few T alone.
#pragma once

#include "base/function_ref.h"
#include "region/pair.h"

namespace dualmargin::region {

struct TiltSums {
  double kappa = 0;
  Vec size;          // T
  Vec upper, lower;  // sum omega FY for T and -T
  Vec rounding;      // of the vector whose length enters

  bool usable() const { return size.size() > 0; }
};
template <class Vector>
struct TiltIn : TiltSums {
  Vector centre, e;  // c and e
};
using Tilt = TiltIn<Vec>;

// h, where it may be other than 0, and (1/W) sum omega h.
struct TiltMass {
  RowVec h;
  double mean = 0;

  bool usable() const { return std::isfinite(mean) && mean > 0; }
};
template <class Geometry>
TiltMass tilt_mass(const ProblemIn<Geometry>& problem, const RowTerms& pair,
                   FunctionRef<bool(Index)> may);
// Of the pair with a + tau h for its dual point, W F.
template <class Geometry>
double tilted_excess(const ProblemIn<Geometry>& problem, const RowTerms& pair, const RowVec& h,
                     double tau);
// own, moved: the rounding of e, and of the centre times sum omega h.
template <class Geometry>
TiltSums tilt_sums(const ProblemIn<Geometry>& problem, const RowTerms& pair, const TiltMass& mass,
                   double own, double moved, Tick& tick);

Tilt tilt_of(const Problem& problem, const Pair& pair, Tick& tick);

// How far above and below the score of a row the optimal one can be; square: |x - c|^2 from above,
// along: e'(x - c), off by `off`; own: |e|^2; lost: of the square, in units of its terms.
struct Reach {
  double up, down;
};
Reach tilt_reach(const TiltSums& tilt, double square, double along, double own, double lost,
                 double off = 0);

}  // namespace dualmargin::region
