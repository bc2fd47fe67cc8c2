// The optimum with a new row and a response added to those of a fit: how many counted rows are at
// least as strange as it there, and the residuals of a regression.
//
// The first point is w + c M^-1 x with c = -omega phi'(x'w + c x'M^-1 x), one equation in c, whose
// curvature enters the norm; after it steps with that Hessian, then Newton steps.
#pragma once

#include <cmath>

#include "base/function_ref.h"
#include "decide/altered.h"
#include "decide/conformal_segments.h"
#include "decide/refit.h"

namespace dualmargin::decide {

// at least `least`, at most `most`; steps: with the Hessian of the fit
struct FullCount {
  Index least = 0, most = 0;
  int steps = 0;
  bool refitted = false;
};

// Residuals y - f(x) of the counted rows and of the new one, with what they can be off by.
struct FullResiduals {
  Vec residual, half;
  double own = 0, own_half = HUGE_VAL;
  int steps = 0;
  bool refitted = false;
};

// Of each level the responses that are in the set, and how much further out than need be an end can
// be.
struct FullPieces {
  std::vector<Segments> of_level;
  double off = 0;
  bool refitted = false;
};

struct FullEffort {
  int steps = 12;
  bool refits = true;
};

class FullOptima {
 public:
  using Point = typename AlteredOptima::Point;

  FullOptima(const AlteredOptima& optima, Rule rule, FullEffort effort, Tick& tick);

  // counted: is row i? shrink: the ridge of the columns in units of that of the fit, or nothing.
  FullCount count(const Arrival& in, double y, double omega, const Vec& shrink,
                  FunctionRef<bool(Index)> counted, Tick& tick) const;

  // Of the squared loss: where the residual of a row that comes to x is no larger than those of at
  // least k counted rows, for each k of ks; 0: everywhere.
  FullPieces pieces(Vec x, double omega, const Vec& shrink, FunctionRef<bool(Index)> counted,
                    const std::vector<Index>& ks, Tick& tick) const;

 private:
  FullResiduals residuals(const Arrival& in, double y, double omega, const Vec& shrink,
                          Tick& tick) const;
  double length(Index i) const { return std::sqrt(squares_[i] + optima_.free()); }
  static double within(const Point& p, double norm, double length);
  // How far y_i f(x_i) - y f(x) can be off, sign = y_i y.
  double apart(const Arrival& in, const Point& p, Index i, double sign) const;

  void solve(const Arrival& in, double y, double omega, const Vec& shrink,
             FunctionRef<bool(const Point&)> use, Tick& tick) const;

  // c + omega phi'(z + c h) = 0, which rises in c
  double pull(double z, double h, double y, double omega) const;

  const AlteredOptima& optima_;
  const Rule rule_;
  const FullEffort effort_;
  const RowVec& squares_;
  double spread_;  // of the residuals of the fit
};

}  // namespace dualmargin::decide
