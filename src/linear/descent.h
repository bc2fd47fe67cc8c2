// Semismooth Newton descent on a smooth surrogate of the empirical risk,
//
//   F(w, b) = (1/W) sum_i omega_i psi_i(x_i'w + b) + g(w),
//   psi_i(z) = max_t  t z - phi*(t) - q/2 (t - a_i)^2,
//
// which is the risk itself for q = 0 and a smooth loss, and its proximal (dual) regularisation
// around the dual point a for q > 0. psi_i' is the loss's dual step, so every loss comes with its
// psi. Scores are cached, b is exact at every point, and the line search is exact on the cached
// scores.
#pragma once

#include "algebra/line_search.h"
#include "linear/l1_model.h"
#include "linear/newton_system.h"
#include "linear/row_sample.h"
#include "linear/working_set.h"
#include "run/run.h"

namespace dualmargin::linear {

template <class Data>
class Descent {
 public:
  Descent(const Erm<Data>& problem, RowSample rows, Run& run)
      : problem_(problem),
        penalty_(problem.penalty),
        rows_(std::move(rows)),
        run_(run),
        system_(problem, rows_.id),
        gram_(problem.x, rows_.id) {}
  Descent(const Descent&) = delete;  // members refer to rows_

  // Start, or start again, at (w, b) with smoothing q around the dual point a.
  void start(const Vec& w, double b, const Vec& a, double q) {
    w_ = w;
    b_ = b;
    margin_.resize(count());
    for (Index i = 0; i < count(); ++i) {
      margin_[i] = problem_.x.dot(rows_.id[i], w_);
      run_.tick().row(i);
    }
    run_.spend(0.5 * share());
    smooth(a, q);
  }
  void smooth(const Vec& a, double q) {
    centre_ = a;
    q_ = q;
    evaluate();
    run_.spend(0.5 * share());
  }

  // An upper bound on F(w, b) - min F: the gap of the surrogate at its own slopes.
  double surrogate_gap() const {
    return sum_over(w_.size(), [&](Index j) { return penalty_.gap(w_[j], u_[j]); });
  }

  // Another g from the next step on.
  void penalise(const ElasticNet& g) {
    penalty_ = g;
    damping_ = 0;
  }
  double penalty() const { return penalty_.value(w_); }

  // Finds the Newton direction; returns the decrease its model predicts. Of no use once the run
  // is out of time.
  double aim() {
    const Vec h = rows_.weights.cwiseProduct(curvature_) / problem_.total_weight;
    const double r = problem_.free_intercept ? intercept_slope() : 0.0;
    double passes = 0, predicted = 0;
    if (penalty_.l1 > 0) {
      predicted = aim_with_l1(h, r, passes);
    } else {
      const Vec gradient = u_ + penalty_.l2 * w_;
      direction_ = system_.solve(h, gradient, r, penalty_.l2 + damping_, passes, run_);
      predicted = -0.5 * (gradient.dot(direction_.delta) + r * direction_.delta_b);
    }
    run_.spend(passes * share());
    return predicted;
  }
  // False where the model was singular in double precision.
  bool has_direction() const {
    return direction_.delta.allFinite() && std::isfinite(direction_.delta_b);
  }

  // Moves to the minimum of F along the direction.
  void move() {
    Vec step(count());
    for (Index i = 0; i < count(); ++i) {
      step[i] = problem_.x.dot(rows_.id[i], direction_.delta);
      run_.tick().row(i);
    }
    const double t = line_search(step);
    adapt_damping(t);
    w_ += t * direction_.delta;
    b_ += t * direction_.delta_b;
    margin_ += t * step;
    run_.spend(share());
    run_.count_step();
    evaluate();
  }

  const Vec& w() const { return w_; }
  double b() const { return b_; }
  const Vec& margin() const { return margin_; }
  const Vec& slope() const { return slope_; }
  const Vec& dual_sum() const { return u_; }
  Index count() const { return static_cast<Index>(rows_.id.size()); }

 private:
  double share() const { return static_cast<double>(count()) / static_cast<double>(problem_.n()); }

  // Exact b, slopes, curvatures and u = (1/W) sum omega_i slope_i x_i at the current margins.
  void evaluate() {
    if (problem_.free_intercept) {
      b_ = smooth_intercept(problem_.row_loss, rows_.weights, margin_, rows_.y, centre_, q_, b_,
                            slope_, curvature_);
    } else {
      problem_.row_loss.dual_steps(margin_, 0, rows_.y, centre_, q_, slope_, curvature_);
    }
    u_ = Vec::Zero(w_.size());
    for (Index i = 0; i < count(); ++i) {
      const double coef = rows_.weights[i] * slope_[i] / problem_.total_weight;
      if (coef != 0) problem_.x.axpy(rows_.id[i], coef, u_);
      run_.tick().row(i);
    }
  }

  double intercept_slope() const {
    return sum_over(count(), [&](Index i) { return rows_.weights[i] * slope_[i]; }) /
           problem_.total_weight;
  }

  // The model on the coordinates that matter: those in use and those whose |u_j| exceeds l1.
  double aim_with_l1(const Vec& h, double r, double& passes) {
    constexpr Index few = 1500, most = 3000;
    const ElasticNet& g = penalty_;
    const Index p = w_.size();
    if (p > few) {
      const bool first = gram_.size() == p;
      const std::vector<Index> before = first ? std::vector<Index>() : gram_.coordinates();
      gram_.restrict_to(working_set(g, w_, u_, before, most));
    }
    passes += gram_.update(h, run_);
    if (!run_.in_time()) return 0;
    const std::vector<Index>& set = gram_.coordinates();
    const Index m = gram_.size(), border = problem_.free_intercept ? 1 : 0;
    if (g.l2 + damping_ == 0) damp_flat_coordinates();
    Vec gradient(m + border), v(m + border);
    for (Index k = 0; k < m; ++k) {
      gradient[k] = u_[set[k]] + g.l2 * w_[set[k]];
      v[k] = w_[set[k]];
    }
    if (border) {
      gradient[m] = r;
      v[m] = 0;
    }
    L1Model model(gram_.bordered(border, g.l2 + damping_), gradient, v, g.l1, m);
    const Vec& solution = model.minimise(run_);
    direction_.delta = Vec::Zero(p);
    for (Index k = 0; k < m; ++k) direction_.delta[set[k]] = solution[k] - w_[set[k]];
    direction_.delta_b = border ? solution[m] : 0.0;
    return -model.change(gradient);
  }

  // Levenberg's damping: where most rows sit on linear pieces of the loss the model knows only l2
  // and aims far too wide. A short step raises the damping, a full one lowers it.
  void adapt_damping(double t) {
    const double l2 = penalty_.l2;
    if (t < 0.3) {
      damping_ = damping_ > 0 ? 4 * damping_ : std::max(l2, 1e-4 * mean_diagonal());
    } else if (t > 0.6) {
      damping_ *= 0.15;
      if (damping_ < 0.1 * l2) damping_ = 0;
    }
  }

  // A lasso knows no curvature at all along a coordinate whose rows all sit on linear pieces; where
  // such a coordinate wants to move, to zero or away from it, the model needs a length to aim for.
  void damp_flat_coordinates() {
    const Vec& norm = problem_.column_norms();
    for (Index k = 0; k < gram_.size(); ++k) {
      const Index j = gram_.coordinates()[k];
      const double dust = 1e-13 * norm[j] * norm[j];  // of many updates of the matrix
      if (gram_.matrix()(k, k) > dust) continue;
      if (w_[j] == 0 && std::abs(u_[j]) <= penalty_.l1) continue;
      damping_ = 1e-3 * norm.squaredNorm() / static_cast<double>(w_.size());
      return;
    }
  }

  double mean_diagonal() const {
    double trace = 0;
    for (Index i = 0; i < count(); ++i) {
      trace += rows_.weights[i] * curvature_[i] * problem_.x.squared_norm(rows_.id[i]);
    }
    return trace / (problem_.total_weight * w_.size());
  }

  // The minimum of t -> F(w + t delta, b + t delta_b) on the cached scores.
  double line_search(const Vec& step) const {
    const Vec move = (step.array() + direction_.delta_b).matrix();
    Vec slope, curvature;
    return exact_step(along(0, move, slope_, curvature_).right, [&](double t) {
      problem_.row_loss.dual_steps(margin_ + t * move, b_, rows_.y, centre_, q_, slope, curvature);
      return along(t, move, slope, curvature);
    });
  }

  // The one-sided slopes differ where a weight passes zero and l1 > 0.
  LineSlope along(double t, const Vec& move, const Vec& slope, const Vec& curvature) const {
    const ElasticNet& g = penalty_;
    const Vec& delta = direction_.delta;
    const double loss =
        sum_over(count(), [&](Index i) { return rows_.weights[i] * slope[i] * move[i]; });
    double kinks = 0, bend = 0;
    const double smooth = sum_over(delta.size(), [&](Index j) {
      const double w = w_[j] + t * delta[j];
      if (w == 0) kinks += g.l1 * std::abs(delta[j]);
      return (g.l2 * w + g.l1 * (w > 0 ? 1.0 : w < 0 ? -1.0 : 0.0)) * delta[j];
    });
    for (Index i = 0; i < count(); ++i) {
      bend += rows_.weights[i] * curvature[i] * move[i] * move[i];
    }
    const double middle = loss / problem_.total_weight + smooth;
    return {middle - kinks, middle + kinks,
            bend / problem_.total_weight + g.l2 * delta.squaredNorm()};
  }

  const Erm<Data>& problem_;
  ElasticNet penalty_;
  RowSample rows_;
  Run& run_;
  NewtonSystem<Data> system_;
  WeightedGram<Data> gram_;  // of the l1 model
  Vec w_, margin_;           // margin_i = x_i'w, without b
  double b_ = 0;
  Vec centre_;  // a, with q_ the smoothing
  double q_ = 0;
  Vec slope_, curvature_, u_;
  Direction direction_;
  double damping_ = 0;
};

}  // namespace dualmargin::linear
