// The optimum without some rows, found for the rows that the bounds leave open, by Newton steps of
// a smooth loss with a ridge. Each gives a pair of the smaller problem, and that an interval; steps
// need not be exact for the interval to hold.
#pragma once

#include "base/function_ref.h"
#include "decide/removal_pair.h"

namespace dualmargin::decide {

class Steps {
 public:
  explicit Steps(const Fitted& fit, Tick& tick);

  // Is the curvature at the fit certain around it?
  bool curved() const { return fit_.ellipsoid.factor.usable() && fit_.ellipsoid.norms.size() > 0; }

  // Until open(leaving) is false. With one Hessian in up to three steps where the curvature is
  // certain, by the pair for what that leaves open, then with Hessians of their own, at most eight.
  void solve(Leaving& leaving, const Open& open, Tick& tick) const;

  // Points nearer and nearer to the optimum, as long as see(w, b).
  void points(const Leaving& leaving, FunctionRef<bool(const Vec& w, double b)> see,
              Tick& tick) const;

 private:
  bool free() const { return fit_.problem.free(); }
  Vec bordered(Index i) const;
  Vec penalty(const Vec& w) const;
  RemovalPoint moved(const RemovalPoint& at, const Vec& step) const;

  // (w, b) - H_{-S}^{-1} G_{-S}; where that matrix is lacking (w, b) itself. Woodbury:
  // (H - X D X')^{-1} = H^{-1} + H^{-1} X (D^{-1} - X'H^{-1}X)^{-1} X'H^{-1}
  RemovalPoint first_step(const Leaving& leaving) const;

  // One row out: at a point v near the fit, H_{-i}(v) >= e^{-t} H_{-i} with t the largest change of
  // a score, so with the gradient G of the smaller problem at v
  //   nu = e^{t/2} |G|_{H_{-i}^-1}:  |f(x_i) - v'x_i| <= (e^t l_i)^{1/2} nu psi(nu e^{t/2} R_i).
  // Returns the next point, v - H_{-i}^{-1} G by the rank-one change of H.
  RemovalPoint by_curvature(Leaving& leaving, const RemovalPoint& at, Tick& tick) const;

  bool newton_step(const Leaving& leaving, RemovalPoint& at, Tick& tick) const;

  const Fitted& fit_;
  const Rows& rows_;
  PairWithout pairs_;
  region::Factor factor_;
  RowVec slope_, bend_;  // times omega
  Vec gradient_;
  double largest_ = 0;
};

}  // namespace dualmargin::decide
