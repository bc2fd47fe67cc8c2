// Proximal Newton descent on the empirical risk or a smooth surrogate of it,
//
//   F(w, b) = (1/W) sum_i omega_i psi_i(x_i'w + b) + g(w),
//   psi_i(z) = max_t  t z - phi*(t) - q/2 (t - a_i)^2,
//
// which is the risk itself for q = 0 and a smooth loss, and its proximal (dual) regularisation
// around the dual point a for q > 0. psi_i' is the loss's dual step, so every loss comes with its
// psi. Scores are cached, b is exact at every point, and the line search is exact on the cached
// scores.
#pragma once

#include <vector>

#include "algebra/line_search.h"
#include "base/function_ref.h"
#include "linear/l1_model.h"
#include "linear/problem.h"
#include "run/run.h"

namespace dualmargin::linear {

// How the rows are looked at, by rows (row_view.cpp) or by columns (lasso.cpp).
class View {
 public:
  virtual ~View() = default;

  virtual const Rows& rows() const = 0;                       // all or a sample
  virtual const std::vector<Index>& coordinates() const = 0;  // w moves on these only
  virtual RowVec multiply(const Vec& w) = 0;                  // x_i'w for all rows
  // sum_i c_i x_i on the coordinates, 0 elsewhere
  virtual Vec transpose_multiply(const RowVec& coef, const std::vector<Index>& coordinates) = 0;
  virtual Direction direction(const NewtonModel& model) = 0;  // of no use once the time is over
  // Where a loss is nearly linear on many rows a model aims too wide. Does a row of slope a then get
  // some curvature in proportion to |a|, or the model Levenberg's damping?
  virtual bool lifts() const = 0;
};
// rows: all of the problem, or a sample.
std::unique_ptr<View> view_by_rows(const LinearProblem& problem, Run& run, const Rows& rows);

class ProximalNewton {
 public:
  ProximalNewton(const LinearProblem& problem, Run& run, View& view);

  // Start, or start again, at (w, b) with smoothing q around the dual point a.
  void start(const Vec& w, double b, const RowVec& a, double q);
  void start(const Vec& w, double b) { start(w, b, RowVec::Zero(count()), 0); }
  void smooth(const RowVec& a, double q);
  // Another g from the next step on.
  void penalise(const ElasticNet& g);
  // Columns that are zero in every optimum. add(j, step, z): z += step x_j.
  void discard(const std::vector<Index>& columns, FunctionRef<void(Index, double, RowVec&)> add);
  // The view has another set of coordinates.
  void renew() { fresh_ = false; }

  // An upper bound on F(w, b) - min F over the view's coordinates: the gap at theta times the
  // slopes, theta being 1 or, for q = 0, the largest with g* = 0. With columns that have no penalty
  // it is one as soon as their slopes are 0.
  double gap();
  double penalty() const { return g_.value(w_); }

  // Finds the Newton direction; returns the decrease its model predicts.
  double aim();
  // False where the model was singular in double precision.
  bool has_direction() const { return direction_.finite(); }

  // Moves to the minimum of F along the direction; false: there is nothing to gain.
  bool move();

  const Vec& w() const { return w_; }
  double b() const { return b_; }
  Index count() const { return rows().n(); }
  const RowVec& margin() const { return margin_; }  // x_i'w, without b
  RowVec scores() const { return margin_ + b_; }
  const RowVec& slope() const { return at_.slope; }
  // u = (1/W) sum omega_i slope_i x_i
  const Vec& dual_sum();
  Vec dual_sum(const RowVec& a, const std::vector<Index>& coordinates);

 private:
  const Rows& rows() const { return view_.rows(); }
  template <class Term>
  double mean(Term term) const;

  // Exact b, slopes and curvatures at the current margins.
  void evaluate();

  // Levenberg's damping: where most rows sit on linear pieces of the loss the model knows only l2
  // and aims far too wide. A short step raises the damping, a full one lowers it.
  void damp(double t);
  // Or a row of slope a gets a curvature of lift |a|, as if its slope were gone after a score of
  // 1 / lift.
  void lift(double t);

  // How far the direction leads within the bounds, which hold its end.
  double room() const;
  // What ends next to a bound is there: w + (bound - w) may be a rounding off.
  Vec within_bounds(Vec w) const;

  // Slope of t -> F(w + t delta, b + t delta_b); those of both sides differ where a weight passes
  // zero and l1 > 0, and where the first meets its bound.
  LineSlope along(double t, const RowVec& move, const Slopes& at) const;

  bool free_;
  Run& run_;
  ElasticNet g_;
  View& view_;
  RowLosses losses_;
  Vec w_;
  RowVec margin_;
  double b_ = 0;
  RowVec centre_;  // a, with q_ the smoothing
  double q_ = 0;
  Slopes at_;  // psi' and psi'' at the margins and b
  Vec u_;
  bool fresh_ = false;  // u_ belongs to the slopes
  Direction direction_;
  double room_ = HUGE_VAL;  // the longest step along it within the bounds
  double damping_ = 0, lift_ = 0;
};

}  // namespace dualmargin::linear
