// Proximal Newton descent on the empirical risk or a smooth surrogate of it,
//
//   F(w, b) = (1/W) sum_i omega_i psi_i(x_i'w + b) + g(w),
//   psi_i(z) = max_t  t z - phi*(t) - q/2 (t - a_i)^2,
//
// which is the risk itself for q = 0 and a smooth loss, and its proximal (dual) regularisation
// around the dual point a for q > 0. psi_i' is the loss's dual step, so every loss comes with its
// psi. Scores are cached, b is exact at every point, and the line search is exact on the cached
// scores.
//
// A View is how the rows are looked at, by rows (row_view.h) or by columns (column_view.h):
//   rows()                      all or a sample
//   coordinates()               w moves on these only
//   multiply(w)                 x_i'w for all rows
//   transpose_multiply(c)       sum_i c_i x_i on the coordinates, 0 elsewhere
//   direction(model)            of no use once the run is out of time
#pragma once

#include <array>
#include <utility>

#include "algebra/line_search.h"
#include "linear/l1_model.h"
#include "linear/problem.h"
#include "run/run.h"

namespace dualmargin::linear {

template <class View>
class ProximalNewton {
 public:
  template <class Problem, class... More>
  ProximalNewton(const Problem& problem, Run& run, More&&... more)
      : free_(problem.losses.free_intercept),
        run_(run),
        g_(problem.penalty),
        view_(problem, run, std::forward<More>(more)...),
        losses_(problem.losses.loss, rows().y, rows().weights, free_, rows().team, rows().offset) {}

  // Start, or start again, at (w, b) with smoothing q around the dual point a.
  void start(const Vec& w, double b, const RowVec& a, double q) {
    w_ = w;
    b_ = b;
    margin_ = view_.multiply(w_);
    smooth(a, q);
  }
  void start(const Vec& w, double b) { start(w, b, RowVec::Zero(count()), 0); }
  void smooth(const RowVec& a, double q) {
    centre_ = a;
    q_ = q;
    evaluate();
  }
  // Another g from the next step on.
  void penalise(const ElasticNet& g) {
    g_ = g;
    damping_ = 0;
  }
  // Columns that are zero in every optimum.
  void discard(const std::vector<Index>& columns) {
    bool moved = false;
    for (Index j : columns) {
      moved = moved || w_[j] != 0;
      view_.add_column(j, -w_[j], margin_);
      w_[j] = 0;
    }
    if (moved) evaluate();
  }
  // Another set of coordinates.
  template <class... More>
  void look_at(More&&... more) {
    fresh_ = false;
    view_.restrict_to(std::forward<More>(more)...);
  }

  // An upper bound on F(w, b) - min F over the view's coordinates: the gap at theta times the
  // slopes, theta being 1 or, for q = 0, the largest with g* = 0. With columns that have no penalty
  // it is one as soon as their slopes are 0.
  double gap() {
    const Vec& u = dual_sum();
    double largest = 0;  // of what must not exceed l1 for g* = 0
    for (Index j : view_.coordinates()) {
      const bool stays = std::isinf(u[j] < 0 ? g_.upper(j) : g_.lower(j));
      if (!g_.free(j) && stays) largest = std::max(largest, std::abs(u[j]) / g_.factor(j));
    }
    const auto penalty = [&](double theta) {
      const std::vector<Index>& set = view_.coordinates();
      return sum_over(static_cast<Index>(set.size()),
                      [&](Index k) { return g_.gap(set[k], w_[set[k]], theta * u[set[k]]); });
    };
    const bool fits = g_.l1 == 0 || largest <= g_.l1;
    const double whole = fits || g_.l2 > 0 ? penalty(1) : HUGE_VAL;  // the losses' share is 0
    if (fits || q_ > 0) return whole;
    const double theta = g_.l1 / largest * (1 - 4e-16);
    return std::min(whole, penalty(theta) + losses_.fenchel(scores(), at_.slope, theta).gap);
  }
  double penalty() const { return g_.value(w_); }

  // Finds the Newton direction; returns the decrease its model predicts.
  double aim() {
    RowVec curvature = at_.curvature;
    if (lift_ > 0) curvature += lift_ * abs(at_.slope);
    const RowVec h = rows().weights * curvature / rows().total_weight;
    const double r = free_ ? mean([&](Index i) { return at_.slope[i]; }) : 0.0;
    direction_ = view_.direction({w_, dual_sum(), r, h, g_, damping_});
    room_ = room();
    return direction_.predicted;
  }
  // False where the model was singular in double precision.
  bool has_direction() const { return direction_.finite(); }

  // Moves to the minimum of F along the direction; false: there is nothing to gain.
  bool move() {
    const RowVec step = view_.multiply(direction_.delta);
    const RowVec move = step + direction_.delta_b;
    Slopes there;
    const double t = exact_step(along(0, move, at_).right, [&](double trial) {
      losses_.dual_steps(RowVec(margin_ + trial * move), b_, centre_, q_, there);
      return along(trial, move, there);
    });
    if constexpr (View::lifts) {
      lift(t);
    } else {
      damp(t);
    }
    w_ = within_bounds(w_ + t * direction_.delta);
    b_ += t * direction_.delta_b;
    margin_ += t * step;
    run_.count_step();
    evaluate();
    return t > 0;
  }

  const Vec& w() const { return w_; }
  double b() const { return b_; }
  Index count() const { return rows().n(); }
  const RowVec& margin() const { return margin_; }  // x_i'w, without b
  RowVec scores() const { return margin_ + b_; }
  const RowVec& slope() const { return at_.slope; }
  // u = (1/W) sum omega_i slope_i x_i
  const Vec& dual_sum() {
    if (!fresh_) u_ = dual_sum(at_.slope, view_.coordinates());
    fresh_ = true;
    return u_;
  }
  Vec dual_sum(const RowVec& a, const std::vector<Index>& coordinates) {
    return view_.transpose_multiply(rows().weights * a / rows().total_weight, coordinates);
  }

 private:
  const auto& rows() const { return view_.rows(); }
  template <class Term>
  double mean(Term term) const {
    const RowVec& omega = rows().weights;
    return rows().sum([&](Index i) { return omega[i] * term(i); }) / rows().total_weight;
  }

  // Exact b, slopes and curvatures at the current margins.
  void evaluate() {
    fresh_ = false;
    b_ = losses_.slopes_at_best(margin_, centre_, q_, b_, at_);
  }

  // Levenberg's damping: where most rows sit on linear pieces of the loss the model knows only l2
  // and aims far too wide. A short step raises the damping, a full one lowers it.
  void damp(double t) {
    if (t < 0.3) {
      const RowVec& squares = rows().squared_norms();
      const double trace = mean([&](Index i) { return at_.curvature[i] * squares[i]; });
      damping_ = damping_ > 0 ? 4 * damping_ : std::max(g_.l2, 1e-4 * trace / w_.size());
    } else if (t > 0.6) {
      damping_ *= 0.15;
      if (damping_ < 0.1 * g_.l2) damping_ = 0;
    }
  }
  // Or a row of slope a gets a curvature of lift |a|, as if its slope were gone after a score of
  // 1 / lift.
  void lift(double t) {
    if (t < 0.4) {
      lift_ = std::max(4 * lift_, 0.03);
    } else if (t > 0.6) {
      lift_ = lift_ > 0.01 ? 0.2 * lift_ : 0;
    }
  }

  // How far the direction leads within the bounds, which hold its end.
  double room() const {
    double t = HUGE_VAL;
    for (Index j = 0; g_.bounded() && j < w_.size(); ++j) {
      const double d = direction_.delta[j];
      if (d != 0) t = std::min(t, ((d > 0 ? g_.upper(j) : g_.lower(j)) - w_[j]) / d);
    }
    return t < 1 + 1e-9 ? 1 : t;
  }
  // What ends next to a bound is there: w + (bound - w) may be a rounding off.
  Vec within_bounds(Vec w) const {
    for (Index j = 0; g_.bounded() && j < w.size(); ++j) {
      w[j] = g_.nearest(j, w[j]);
      for (const double bound : {g_.lower(j), g_.upper(j)}) {
        const bool meets = std::abs(w[j] - bound) <= rounding::of(4) * std::abs(bound);
        if (meets && std::isfinite(bound)) w[j] = bound;
      }
    }
    return w;
  }

  // Slope of t -> F(w + t delta, b + t delta_b); those of both sides differ where a weight passes
  // zero and l1 > 0, and where the first meets its bound.
  LineSlope along(double t, const RowVec& move, const Slopes& at) const {
    const RowVec& omega = rows().weights;
    const Vec& delta = direction_.delta;
    const std::vector<Index>& set = view_.coordinates();
    const auto [fall, bend] = rows().sum([&](Index i) {
      const double m = omega[i] * move[i];
      return std::array<double, 2>{m * at.slope[i], m * at.curvature[i] * move[i]};
    });
    double kinks = 0, squares = 0;
    const double smooth = sum_over(static_cast<Index>(set.size()), [&](Index k) {
      const double d = delta[set[k]], w = w_[set[k]] + t * d;
      const double l1 = g_.l1_of(set[k]);
      if (w == 0) kinks += l1 * std::abs(d);
      const double l2 = g_.l2_of(set[k]);
      if (l2 > 0) squares += d * d;
      return (l2 * w + l1 * (w > 0 ? 1.0 : w < 0 ? -1.0 : 0.0)) * d;
    });
    const double W = rows().total_weight, middle = fall / W + smooth;
    const double left = t > room_ ? HUGE_VAL : middle - kinks;
    const double right = t >= room_ ? HUGE_VAL : middle + kinks;
    return {left, right, bend / W + g_.l2 * squares};
  }

  bool free_;
  Run& run_;
  ElasticNet g_;
  View view_;
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
