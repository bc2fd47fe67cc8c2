// The optimum of a smooth loss with a ridge once rows leave a fit or one comes, and how far it can
// be from a point.
//
// M is the Hessian at the fit, of the sum of losses and kappa/2 |w|^2: sum_j A_j + penalty, A_j =
// omega_j phi''_j x_j x_j', with A of the row that comes, by its curvature at the start; lev_j is
// the trace of M^-1 A_j. At a point v with the gradient G of the altered problem, g = |G| in M^-1,
// let the share tau_j of A_j be lost somewhere within rho of v in the norm of M (all of it for a row
// that leaves). Then the Hessian of that problem is there at least theta M,
//
//   theta = 1 - min_q [q + sum_j lev_j (tau_j - q)_+],
//
// and if g <= theta rho its gradient points outwards on the sphere, so that the optimum is within
// it, and within g/theta of v. The ridge counts by coordinates where it is smaller in the altered
// problem: by other scales, or by rule "lambda". A row of much leverage that leaves is taken out of M
// instead, of which theta then loses nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/function_ref.h"
#include "decide/altered_metric.h"
#include "region/offset.h"

namespace dualmargin::decide {

class AlteredOptima {
 public:
  using Problem = region::Problem;

  // The gradient at a point, in the norm of a metric, with its rounding; z: scores, arrived: that of
  // the row that comes. wobble: what rounding can have done to a score.
  struct Derivatives {
    RowVec z;
    Vec gradient;
    double arrived, g, lost, wobble;
  };
  // radius: in the norm of the metric; base: of that of the fit; plain: of (w, b).
  struct Point {
    const Vec& w;
    const double b;
    const Derivatives& at;
    const Metric& metric;
    double radius, base, plain;
    int steps;
    bool refitted, near;  // near: as near as is asked, or as rounding allows
  };

  // known: the Hessian at (w, b) with its norms, where that has been found before
  AlteredOptima(const Problem& problem, Vec w, double b, Tick& tick,
                const region::Ellipsoid& known = {});
  AlteredOptima(const AlteredOptima&) = delete;

  const Problem& problem() const { return problem_; }
  const Rows& rows() const { return rows_; }
  const Vec& w() const { return w_; }
  double b() const { return b_; }
  const Metric& metric() const { return metric_; }
  bool usable() const { return metric_.factor != nullptr; }
  bool free() const { return problem_.free(); }
  double W() const { return problem_.total_weight(); }
  double root_W() const { return std::sqrt(W()); }
  double kappa() const { return problem_.g.l2 * W(); }
  // of all rows, at the fit
  const Vec& gradient() const { return gradient_; }
  Altered unaltered() const { return {{}, nullptr, Vec::Constant(rows_.dim(), kappa())}; }
  Vec bordered(Index i) const;  // row i, with a 1 for a free intercept
  double score(const Vec& x, const Vec& w, double b) const { return x.head(w.size()).dot(w) + b; }
  void move(Vec& w, double& b, const Vec& by, double share = 1) const {
    w -= share * by.head(w.size());
    if (free()) b -= share * by[w.size()];
  }
  // M^-1 v of a metric
  Vec solve(const Metric& m, const Vec& v) const { return m.solve(v) / W(); }

  // x: as the moved rows are, with a 1 at the end for a free intercept
  Arrival arrival(Vec x, Tick& tick) const;

  // Where rows leave: the first step from the fit, and walk() from there; without a row whose leverage
  // theta would lose in the metric.
  void leave(const Altered& of, int most, FunctionRef<bool(const Point&)> use, Tick& tick) const;

  // How far the score of row i can be from that at a point; the same met with the duality ball (L1) of
  // its own slopes, which is around w - G/(2 kappa).
  double half_width(const Point& p, Index i) const;
  region::Interval interval(const Altered& of, const Point& p, Index i) const;

  // Steps with one Hessian, while each halves the gradient, until `use` of a point is true; the first has
  // led to (w, b). Where rows that left have moved it far, the curvature of a few is made anew there.
  void walk(const Altered& of, const Metric& start, Vec w, double b, int most,
            FunctionRef<bool(const Point&)> use, Tick& tick) const;

  // Newton steps with Hessians of their own, each as long as the objective falls; the ball is looked for
  // in the norm of the last, M_i, and M <= c M_i. Where nothing bends, all rows get a little of it.
  void newton(const Altered& of, Vec w, double b, int steps, FunctionRef<bool(const Point&)> use,
              Tick& tick) const;

 private:
  // By strong convexity too, where the intercept has some; the last word only of a point's own Hessian.
  Point point(Point p, const Altered& of) const;
  double size_of_rows(const Altered& of) const {
    return of.in == nullptr ? largest_ : std::max(largest_, of.in->x.norm());
  }

  // The gradient of a problem without some rows where that of all has its optimum: no pass over them.
  Vec gradient_without(const Altered& of) const;

  // (M - sum of those that leave)^-1 G; with M alone where that is singular.
  Vec step(const Altered& of, const Metric& m, const Vec& gradient, Tick& tick) const;

  // Row j gets another curvature in a metric, by Sherman and Morrison; not where it holds nearly all of
  // a direction that it is to lose.
  void bend_row(Metric& m, Index j, double bend, Tick& tick) const;

  // Once a step has led to scores z: the rows whose curvature has changed most by the norm get that of
  // there, so that the next step is nearly one of Newton.
  bool bend_most(Metric& m, const Altered& of, const RowVec& z, Tick& tick) const;

  Metric metric(const Altered& of, const RowVec& bend, double in_bend, Tick& tick) const;
  Metric metric(const Altered& of, const RowVec& bend, region::Factor factor, RowVec norms) const;

  Derivatives look(const Altered& of, const Metric& m, const Vec& w, double b, Tick& tick) const;

  // What row j can have lost of its curvature in the metric within reach g of a point.
  double lost_share(const Derivatives& at, const Metric& m, Index j, double reach) const;

  // g/theta with one share lost by all rows that stay as they were. Of a self-concordant loss the secant
  // slope over s at a score that is t off that of the fit is at least e^(-t - s/2) times the curvature
  // there: one comparison a row. Infinite where nothing follows.
  double shared_radius(const Altered& of, const Metric& m, const Derivatives& at) const;

  // g/theta, infinite where no ball is found.
  double radius(const Altered& of, const Metric& m, const Derivatives& at) const;

  static constexpr double precise = 1e-10;  // of the largest score

  const Problem& problem_;
  const Rows& rows_;
  const Vec w_;
  const double b_;
  RowVec z_, bend_;  // scores and, times omega, curvature of the fit
  Metric metric_;
  Vec gradient_;
  double largest_score_ = 1, largest_ = 0;
};

}  // namespace dualmargin::decide
