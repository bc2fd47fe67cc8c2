// Regularised empirical risk minimisation, the problem of the linear family:
//
//   P(w, b) = \frac1W \sum_i \omega_i \phi(w^\top x_i + b; y_i) + g(w),    W = \sum_i \omega_i
//   D(a)    = -\frac1W \sum_i \omega_i \phi^*(a_i; y_i) - g^*(-u),         u = \frac1W \sum_i
//   \omega_i a_i x_i
//
// with g the elastic net. D(a) <= P(w, b) for every a in the domain of phi^* that, when the
// intercept b is free, also satisfies \sum_i \omega_i a_i = 0. A penalised intercept is the data's
// bias coordinate; without one b stays 0. The gap is summed as
//
//   \frac1W \sum_i \omega_i [\phi(z_i) + \phi^*(a_i) - a_i z_i] + [g(w) + g^*(-u) + u^\top w],
//
// whose terms are non-negative one by one (Fenchel-Young), so nothing cancels near the optimum.
#pragma once

#include <functional>

#include "core/golden_section.h"
#include "core/monitor.h"
#include "core/solution.h"
#include "data/columns.h"
#include "linear/intercept.h"
#include "loss/row_loss.h"
#include "penalty/elastic_net.h"

namespace dualmargin {

template <class D>
struct Erm {
  using Data = D;

  const Data& x;
  const Vec& y;
  const Vec& weights;
  const RowLoss& row_loss;
  ElasticNet penalty;
  bool free_intercept;
  double total_weight;
  std::function<Columns()> columns;  // x by features, for the solvers that ask

  Erm(const Data& x_, const Vec& y_, const Vec& weights_, const RowLoss& loss, ElasticNet g,
      bool free)
      : x(x_),
        y(y_),
        weights(weights_),
        row_loss(loss),
        penalty(g),
        free_intercept(free),
        total_weight(weights_.sum()) {}

  Index n() const { return x.n(); }

  // max_i omega_i |x_i|^2 / (W gamma): the 1/(n gamma) of normalised rows without weights. Times n
  // it bounds the smoothness of every term n omega_i / W phi(x_i'w).
  double row_smoothness() const {
    double largest = 0;
    for (Index i = 0; i < n(); ++i) largest = std::max(largest, weights[i] * x.squared_norm(i));
    return largest / (total_weight * row_loss.gamma());
  }

  // P at w = 0, b = 0: the yardstick of the relative gap.
  double null_value() const {
    const Vec zero = Vec::Zero(n());
    return row_loss.value(weights, zero, y) / total_weight;
  }

  // z_i = x_i'w, without the free intercept
  Vec margins(const Vec& w, Monitor& monitor) const {
    Vec z(n());
    for (Index i = 0; i < n(); ++i) {
      z[i] = x.dot(i, w);
      monitor.tick_rows(i);
    }
    return z;
  }

  // u = (1/W) sum omega_i a_i x_i
  Vec dual_sum(const Vec& a, Monitor& monitor) const {
    Vec u = Vec::Zero(x.dim());
    for (Index i = 0; i < n(); ++i) {
      const double coef = weights[i] * a[i] / total_weight;
      if (coef != 0) x.axpy(i, coef, u);
      monitor.tick_rows(i);
    }
    return u;
  }

  // The minimiser of P(w, .) for scores without intercept; 0 when there is none.
  double best_intercept(const Vec& margin, double b) const {
    if (!free_intercept) return 0;
    if (!row_loss.smooth()) return hinge_intercept(weights, margin, y);
    Vec slope, curvature;
    return smooth_intercept(row_loss, weights, margin, y, Vec::Zero(n()), 0, b, slope, curvature);
  }

  // A smooth loss: the dual point is the slope at (w, exact b). Completes s.b and s.a.
  Certificate certify_slopes(Solution& s, Monitor& monitor) const {
    const Vec margin = margins(s.w, monitor), none = Vec::Zero(n());
    Vec curvature;
    if (free_intercept) {
      s.b = smooth_intercept(row_loss, weights, margin, y, none, 0, s.b, s.a, curvature);
      balance(row_loss, weights, s.a);
    } else {
      row_loss.dual_steps(margin, 0, y, none, 0, s.a, curvature);
    }
    Vec u = dual_sum(s.a, monitor);
    return certify_at(s.w, (margin.array() + s.b).matrix(), s.a, u);
  }

  // What certify_at() gives for ridge where a is the slope of a smooth loss at z: the losses' part
  // of the gap is then zero, and what is left is |grad P|^2 / (2 l2). For steps on the way, whose
  // bound decides nothing; it spares a logarithm or two a row.
  Certificate estimate_at_slopes(const Vec& w, const Vec& z, const Vec& u) const {
    const double value = row_loss.value(weights, z, y) / total_weight + penalty.value(w);
    return Certificate(value, penalty_gap(w, u, 1));
  }

  // Any pair (w, b), a: a is balanced and scaled into the feasible set in place.
  Certificate certify(Solution& s, Monitor& monitor) const {
    Vec scores;
    return certify(s, scores, monitor);
  }
  Certificate certify(Solution& s, Vec& scores, Monitor& monitor) const {
    scores = (margins(s.w, monitor).array() + s.b).matrix();
    if (free_intercept) balance(row_loss, weights, s.a);
    Vec u = dual_sum(s.a, monitor);
    return certify_at(s.w, scores, s.a, u);
  }

  // As certify(), with the b that is best for s.w.
  Certificate certify_at_best_intercept(Solution& s, Monitor& monitor) const {
    const Vec margin = margins(s.w, monitor);
    s.b = best_intercept(margin, s.b);
    if (free_intercept) balance(row_loss, weights, s.a);
    Vec u = dual_sum(s.a, monitor);
    return certify_at(s.w, (margin.array() + s.b).matrix(), s.a, u);
  }

  // The dual point alone: w = grad g*(-u) is recomputed from it. Also right for kernels, whose
  // squared norm needs the coefficients: -omega_i a_i / (W l2).
  Certificate certify_dual(Solution& s, Monitor& monitor) const {
    const Vec u = dual_sum(s.a, monitor);
    s.w = u.unaryExpr([this](double v) { return penalty.grad_conjugate(-v); });
    const Vec z = margins(s.w, monitor);
    const double losses = row_loss.value(weights, z, y) / total_weight;
    const double loss_gap = row_loss.fenchel_gap(weights, z, s.a, 1, y) / total_weight;
    if (penalty.l1 == 0) {
      // g(w) + g*(-u) + u'w = l2/2 |w|^2 + l2/2 |w|^2 - l2 |w|^2 = 0 at w = -u / l2
      const Vec coef = weights.cwiseProduct(s.a) / (-total_weight * penalty.l2);
      return Certificate(losses + 0.5 * penalty.l2 * x.inner(s.w, coef), loss_gap);
    }
    return Certificate(losses + penalty.value(s.w), loss_gap + penalty_gap(s.w, u, 1));
  }

  // Everything computed: scores z (intercept included), duals a, dual sum u. O(n + dim).
  Certificate certify_at(const Vec& w, const Vec& z, Vec& a, Vec& u) const {
    const double theta = dual_scale(a, u);
    const double value = row_loss.value(weights, z, y) / total_weight + penalty.value(w);
    const double gap =
        row_loss.fenchel_gap(weights, z, a, theta, y) / total_weight + penalty_gap(w, u, theta);
    a *= theta;
    u *= theta;
    return Certificate(value, gap);
  }

 private:
  double penalty_gap(const Vec& w, const Vec& u, double theta) const {
    return sum_over(w.size(), [&](Index j) {
      return penalty.value(w[j]) + penalty.conjugate(-theta * u[j]) + theta * u[j] * w[j];
    });
  }

  // With an l1 part the raw dual point is useless where |u_j| > l1 by far: the best multiple theta
  // a is taken. D(theta) is concave; theta_max is the largest multiple with g* = 0, hence feasible
  // for the lasso, and below it D only falls. For a loss without constraints theta may pass 1.
  double dual_scale(const Vec& a, const Vec& u) const {
    if (penalty.l1 == 0) return 1;
    const double largest = u.size() > 0 ? u.cwiseAbs().maxCoeff() : 0.0;
    if (largest == 0) return 1;
    // two roundings below the boundary, so that |theta u_j| <= l1 holds in floating point
    const double fits = penalty.l1 / largest * (1 - 4e-16);
    if (row_loss.dual_shift() && penalty.l2 == 0) {
      const double ay = sum_over(n(), [&](Index i) { return weights[i] * a[i] * y[i]; });
      const double aa = sum_over(n(), [&](Index i) { return weights[i] * a[i] * a[i]; });
      return aa > 0 ? std::min(std::max(-ay / aa, -fits), fits) : 1.0;
    }
    if (fits >= 1) return 1;
    if (penalty.l2 == 0) return fits;
    const auto dual = [&](double theta) {
      const double loss = row_loss.conjugate(weights, a, theta, y) / total_weight;
      return -loss - sum_over(u.size(), [&](Index j) { return penalty.conjugate(-theta * u[j]); });
    };
    return golden_section(dual, fits, 1.0);
  }
};

// The problem together with its loss as a type: what solvers that visit one row at a time need.
template <class D, class L>
struct ErmWithLoss : Erm<D> {
  using Loss = L;
  Loss loss;

  ErmWithLoss(const Erm<D>& problem, const Loss& loss_) : Erm<D>(problem), loss(loss_) {}
};

}  // namespace dualmargin
