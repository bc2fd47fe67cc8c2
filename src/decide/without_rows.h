// The problem of a fit without some rows, by columns, and what a point says of its optimum: its
// pair is made of the rows that stay, whatever the point came from.
#pragma once

#include "decide/fitted.h"
#include "decide/leaving.h"

namespace dualmargin::decide {

// Slopes with an intercept.
struct DualAt {
  RowVec a;
  double b;
};

class WithoutRows {
 private:
  const RowVec omega_;

 public:
  const Rows rows;
  const ElasticNet g;
  const Problem problem;

  WithoutRows(const Fitted& fit, const Leaving& leaving);
  WithoutRows(const WithoutRows&) = delete;

  // The ball of (w, b, a), where it is free the offset around each of the rows that left, and the
  // curvature that all rows have for certain.
  void look(const Vec& w, double b, const RowVec& a, Leaving& leaving, Tick& tick) const;

  // Of w with the best b and the slopes there, of a smooth loss.
  DualAt slopes_at(const Vec& w, double b, Tick& tick) const;
  // from: w of the fit; origin: the user's, as the moved rows are.
  Displaced displaced(const Vec& from, const Vec& w, double b, const RowVec& a, const Vec& origin,
                      Tick& tick) const;

 private:
  static ElasticNet net(const ElasticNet& of, double mu) { return {mu * (of.l1 / of.l2), mu}; }

  double lost_in_score_;
};

}  // namespace dualmargin::decide
