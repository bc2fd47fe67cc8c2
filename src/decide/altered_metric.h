// What is altered of a fitted problem, and the norm in which its optimum is looked for.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "region/ellipsoid.h"

namespace dualmargin::decide {

// A row that comes, as the moved rows are, with a 1 at the end for a free intercept.
struct Added {
  Vec x;
  double y = 0, omega = 0;
};

// Rows that leave, one that comes, and the penalty of each coordinate.
struct Altered {
  std::vector<Index> out;
  const Added* in = nullptr;
  Vec ridge;
};

// min over q, of some, of q + sum_j lev_j (tau_j - q)_+: what a Hessian can have lost of another one
// once terms j of leverage lev_j have lost shares tau_j of themselves.
class LostShares {
 public:
  // counted: so much of the share has been added before
  void add(double share, double leverage, double counted = 0);
  double least() const;

 private:
  static constexpr std::array<double, 8> cuts{0, .01, .03, .1, .2, .35, .5, .75};
  std::array<double, 8> sums_{};
};

// A Hessian in whose norm is measured; curvature and leverage of the rows by it. Hessians are
// divided by the weight W of the rows of the fit.
struct Metric {
  std::shared_ptr<const region::Factor> factor;
  RowVec bend, norms, leverage;
  Vec ridge;            // leverage of the coordinates
  double reach = 0;     // the largest norm
  bool of_fit = false;  // its ridge is that of the fit
  // Where rows have another curvature than in the factor, its inverse is R^-1 (I - sum of share u u')
  // R^-T. Rounding leaves it at least 1 - slack of what it should be, squares of norms off by `loss` of
  // those by the factor, and what is 1 in it is at most `grow` by the factor.
  std::vector<std::pair<Vec, double>> changes;
  double slack = 0, loss = 0, grow = 1;
  // The row that comes has this curvature in it, and this norm. Where it was put into a factor that
  // has none of it: along = R^-T x, and (I + s along along')^(-1/2) = I - turn along along'.
  double in_bend = 0, in_norm = 0, turn = 0, share = 0;
  Vec along;

  double norm(const Vec& v) const;
  // (R^-1 of what is whitened, with the changes)
  Vec changed(Vec white) const;
  Vec unwhitened(Vec white) const;
  Vec solve(const Vec& v) const;
};

// A row that comes, in the metric of the fit: M^-1 x, the products x_i'M^-1 x with how far rounding
// can have them off relative to the norms, and h = x'M^-1 x.
struct Arrival {
  Vec x, white, inverse;
  RowVec products;
  double h = 0, norm = 0, lost = 0, loose = 0;  // loose: absolutely

  // What the products are at least, without their sign.
  double product(Index i, double own) const;
};

// The metric with the row in it, of curvature `bend`.
Metric with_arrival(const Metric& of_fit, const Arrival& in, double bend, double W);

}  // namespace dualmargin::decide
