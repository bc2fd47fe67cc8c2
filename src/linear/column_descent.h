// Proximal Newton descent on chosen columns for a smooth loss. Scores are cached, b is exact at
// every point, the line search is exact on the cached scores. Where the set is small against its
// entries the quadratic model is a matrix (l1_model.h), else it is solved over the columns
// (column_model.h).
#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "algebra/line_search.h"
#include "linear/column_model.h"
#include "linear/column_set.h"
#include "linear/l1_model.h"

namespace dualmargin::linear {

template <class Data>
class ColumnDescent {
 public:
  ColumnDescent(const Erm<Data>& problem, const Columns& x, Run& run)
      : problem_(problem),
        x_(x),
        run_(run),
        g_(problem.penalty),
        nonzeros_(std::max(1.0, x.nonzeros())),
        rows_(problem.n()),
        gram_(problem.x, all_rows()) {}
  ColumnDescent(const ColumnDescent&) = delete;  // the Gram matrix refers to rows_

  void start(const Vec& w, double b) {
    w_ = w;
    b_ = b;
    margin_ = Vec::Zero(problem_.n());
    for (Index j = 0; j < w_.size(); ++j) {
      if (w_[j] != 0) axpy(j, w_[j], margin_);
    }
    evaluate();
  }

  void discard(Index j) {
    if (w_[j] == 0) return;
    stale_ = true;
    axpy(j, -w_[j], margin_);
    w_[j] = 0;
  }

  // u_j = (1/W) sum_i omega_i a_i x_ij on the columns of a set, 0 elsewhere.
  Vec dual_sum(const Vec& a, const std::vector<Index>& set) {
    const Vec coef = problem_.weights.cwiseProduct(a) / problem_.total_weight;
    Vec u = Vec::Zero(x_.dim());
    double entries = 0;
    for (std::size_t k = 0; k < set.size(); ++k) {
      u[set[k]] = x_.dot(set[k], coef);
      entries += static_cast<double>(x_.nonzeros(set[k]));
      run_.tick().row(k);
    }
    run_.spend(entries / nonzeros_);
    return u;
  }

  // How hard to try: until the set's own gap is about `target`, in at most `steps` steps whose
  // models are solved to `precision`; `sweeps` is what a model over columns is expected to cost.
  struct Effort {
    double target, precision, sweeps;
    int steps;
  };

  // Minimises over the columns of the set, with penalty g.
  void minimise_on(const std::vector<Index>& set, const ElasticNet& g, const Effort& effort) {
    g_ = g;
    if (stale_) evaluate();
    for (int step = 0; step < effort.steps; ++step) {
      const Vec u = dual_sum(slope_, set);
      const double gap = set_gap(problem_, g, set, w_, scores(), slope_, u);
      if (gap <= effort.target || run_.exhausted()) break;
      aim(set, u, effort);
      if (!run_.in_time()) break;
      if (!move(set)) break;
    }
  }

  const Vec& w() const { return w_; }
  double b() const { return b_; }
  const Vec& slope() const { return slope_; }
  Vec scores() const { return (margin_.array() + b_).matrix(); }

 private:
  const std::vector<Index>& all_rows() {
    std::iota(rows_.begin(), rows_.end(), Index{0});
    return rows_;
  }
  void axpy(Index j, double a, Vec& v) {
    x_.axpy(j, a, v);
    run_.spend(static_cast<double>(x_.nonzeros(j)) / nonzeros_);
  }

  // Exact b, slopes and curvatures at the current margins.
  void evaluate() {
    stale_ = false;
    const Vec none = Vec::Zero(margin_.size());
    Vec curvature;
    if (problem_.free_intercept) {
      b_ = smooth_intercept(problem_.row_loss, problem_.weights, margin_, problem_.y, none, 0, b_,
                            slope_, curvature);
    } else {
      problem_.row_loss.dual_steps(margin_, 0, problem_.y, none, 0, slope_, curvature);
    }
    curvature += lift_ * slope_.cwiseAbs();
    h_ = problem_.weights.cwiseProduct(curvature) / problem_.total_weight;
  }

  // The minimiser of the quadratic model, minus w.
  void aim(const std::vector<Index>& set, const Vec& u, const Effort& effort) {
    const Index m = static_cast<Index>(set.size());
    Vec w(m), slope(m), damping = Vec::Zero(m);
    double entries = 0;
    for (Index k = 0; k < m; ++k) {
      w[k] = w_[set[k]];
      slope[k] = u[set[k]];
      entries += static_cast<double>(x_.nonzeros(set[k]));
    }
    damp_flat_columns(set, slope, damping);
    const double r =
        problem_.free_intercept ? problem_.weights.dot(slope_) / problem_.total_weight : 0.0;
    // a new matrix costs a look at all rows, entries^2 / (2 n) and for its factors m^3 / 3, an
    // eighth of that where the work is in dense panels
    const double size = static_cast<double>(m), rows = static_cast<double>(problem_.n());
    const double products = entries * entries / (2 * rows) / (entries == size * rows ? 8 : 1);
    const double matrix = 2 * nonzeros_ + products + size * size * size / 24;
    if (m <= 1500 && matrix <= std::max(effort.sweeps, sweeps_) * entries) {
      aim_by_matrix(set, w, slope, damping, r);
    } else {
      ColumnModel model(x_, set, g_, damping, h_, w, slope, problem_.free_intercept, r, run_);
      delta_ =
          model.minimise(effort.precision,
                         std::min(200 * entries, (run_.most_epochs() - run_.epoch()) * nonzeros_)) -
          w;
      delta_b_ = model.delta_b();
      sweeps_ = model.visited() / entries;
      run_.spend(model.visited() / nonzeros_);
    }
  }

  void aim_by_matrix(const std::vector<Index>& set, const Vec& w, const Vec& u, const Vec& damping,
                     double r) {
    gram_.restrict_to(set);
    run_.spend(gram_.update(h_, run_));
    const ElasticNet& g = g_;
    const Index m = gram_.size(), border = problem_.free_intercept ? 1 : 0;
    Mat M = gram_.bordered(border, g.l2);
    M.diagonal().head(m) += damping;
    Vec gradient(m + border), v(m + border);
    gradient.head(m) = u + g.l2 * w;
    v.head(m) = w;
    if (border) {
      gradient[m] = r;
      v[m] = 0;
    }
    L1Model model(M, gradient, v, g.l1, m);
    const Vec& solution = model.minimise(1e-3, 30, run_);
    delta_ = solution.head(m) - w;
    delta_b_ = border ? solution[m] : 0.0;
  }

  // A column whose rows all sit on linear pieces of the loss needs a length to aim for.
  void damp_flat_columns(const std::vector<Index>& set, const Vec& u, Vec& damping) const {
    if (g_.l2 + lift_ > 0) return;
    for (std::size_t k = 0; k < set.size(); ++k) {
      const bool rests = w_[set[k]] == 0 && std::abs(u[k]) <= g_.l1;
      if (rests || x_.moments(set[k], h_).second > 0) continue;
      damping[k] = 1e-3 * x_.moments(set[k], problem_.weights).second / problem_.total_weight;
    }
  }

  // To the minimum along the direction; false: there is nothing to gain.
  bool move(const std::vector<Index>& set) {
    Vec step = Vec::Zero(problem_.n());
    for (std::size_t k = 0; k < set.size(); ++k) {
      if (delta_[k] != 0) axpy(set[k], delta_[k], step);
      run_.tick().row(k);
    }
    const double t = line_search(set, step);
    adapt_lift(t);
    run_.count_step();
    for (std::size_t k = 0; k < set.size(); ++k) {
      double& w = w_[set[k]];
      w = t == 1 && w + delta_[k] == 0 ? 0.0 : w + t * delta_[k];
    }
    margin_ += t * step;
    b_ += t * delta_b_;
    evaluate();
    return t > 0;
  }

  // Where the loss is nearly linear on many rows the model aims too wide; a row of slope a then
  // gets a curvature of lift |a|, as if its slope were gone after a score of 1 / lift.
  void adapt_lift(double t) {
    if (t < 0.4) {
      lift_ = std::max(4 * lift_, 0.03);
    } else if (t > 0.6) {
      lift_ = lift_ > 0.01 ? 0.2 * lift_ : 0;
    }
  }

  double line_search(const std::vector<Index>& set, const Vec& step) const {
    const Vec move = (step.array() + delta_b_).matrix(), none = Vec::Zero(step.size());
    Vec slope, curvature;
    const auto slope_at = [&](double t) {
      problem_.row_loss.dual_steps(margin_ + t * move, b_, problem_.y, none, 0, slope, curvature);
      return along(set, t, move, slope, curvature);
    };
    return exact_step(slope_at(0).right, slope_at);
  }

  // The one-sided slopes differ where a weight passes zero.
  LineSlope along(const std::vector<Index>& set, double t, const Vec& move, const Vec& slope,
                  const Vec& curvature) const {
    const ElasticNet& g = g_;
    const Vec& omega = problem_.weights;
    const double loss =
        sum_over(move.size(), [&](Index i) { return omega[i] * slope[i] * move[i]; });
    double kinks = 0, bend = 0;
    const double smooth = sum_over(set.size(), [&](Index k) {
      const double w = w_[set[k]] + t * delta_[k];
      if (w == 0) kinks += g.l1 * std::abs(delta_[k]);
      return (g.l2 * w + g.l1 * (w > 0 ? 1.0 : w < 0 ? -1.0 : 0.0)) * delta_[k];
    });
    for (Index i = 0; i < move.size(); ++i) bend += omega[i] * curvature[i] * move[i] * move[i];
    const double middle = loss / problem_.total_weight + smooth;
    return {middle - kinks, middle + kinks,
            bend / problem_.total_weight + g.l2 * delta_.squaredNorm()};
  }

  const Erm<Data>& problem_;
  const Columns& x_;
  Run& run_;
  ElasticNet g_;
  double nonzeros_;
  std::vector<Index> rows_;
  WeightedGram<Data> gram_;
  Vec w_, margin_;  // margin_i = x_i'w, without b
  double b_ = 0;
  Vec slope_, h_;  // a_i = phi'(z_i); h_i = omega_i phi''(z_i) / W
  Vec delta_;      // direction, on the set
  double delta_b_ = 0, lift_ = 0;
  double sweeps_ = 0;   // that the last model over columns took
  bool stale_ = false;  // evaluate() is due
};

}  // namespace dualmargin::linear
