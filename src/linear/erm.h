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
// What rounding can have done to it is bounded by the size of the terms (rounding_of() below).
#pragma once

#include <functional>
#include <type_traits>

#include "base/golden_section.h"
#include "base/tick.h"
#include "linear/solution.h"
#include "loss/intercept.h"
#include "loss/row_loss.h"
#include "rows/columns.h"
#include "space/elastic_net.h"

namespace dualmargin {
class Gram;
}

namespace dualmargin::linear {

// Data whose rows consist of entries; those of a kernel matrix do not.
template <class D>
struct has_entries : std::true_type {};
template <>
struct has_entries<Gram> : std::false_type {};

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

  // The yardstick of the relative gap: P at w = 0 and, where the intercept is free, the best b. At
  // b = 0 it would be as large as the response is far from the origin, and say nothing.
  double null_value() const {
    const Vec zero = Vec::Zero(n());
    const Vec z = Vec::Constant(n(), best_intercept(zero, 0));
    return row_loss.value(weights, z, y) / total_weight;
  }

  // z_i = x_i'w, without the free intercept
  Vec margins(const Vec& w, Tick& tick) const {
    Vec z(n());
    for (Index i = 0; i < n(); ++i) {
      z[i] = x.dot(i, w);
      tick.row(i);
    }
    return z;
  }

  // u = (1/W) sum omega_i a_i x_i, in two levels of blocks: of the many additions to a coordinate
  // at most `dual_sum_additions()` enter the error of its sum.
  Vec dual_sum(const Vec& a, Tick& tick) const {
    const double worth = 4 * static_cast<double>(x.dim());  // entries that pay for adding a block
    Vec u = Vec::Zero(x.dim()), middle = u, low = u;
    double entries = 0;
    Index rows = 0, blocks = 0;
    for (Index i = 0; i < n(); ++i) {
      const double coef = weights[i] * a[i] / total_weight;
      if (coef != 0) x.axpy(i, coef, low);
      tick.row(i);
      entries += static_cast<double>(x.nonzeros(i));
      if (++rows < block_rows || entries < worth) continue;
      middle += low;
      low.setZero();
      rows = 0;
      entries = 0;
      if (++blocks < block_rows) continue;
      u += middle;
      middle.setZero();
      blocks = 0;
    }
    return u + (middle + low);
  }

  // The minimiser of P(w, .) for scores without intercept; 0 when there is none.
  double best_intercept(const Vec& margin, double b) const {
    if (!free_intercept) return 0;
    if (!row_loss.smooth()) return hinge_intercept(weights, margin, y);
    Vec slope, curvature;
    return smooth_intercept(row_loss, weights, margin, y, Vec::Zero(n()), 0, b, slope, curvature);
  }

  // A smooth loss: the dual point is the slope at (w, exact b). Completes s.b and s.a.
  Certificate certify_slopes(Solution& s, Tick& tick) const {
    const Vec margin = margins(s.w, tick), none = Vec::Zero(n());
    Vec curvature;
    if (free_intercept) {
      s.b = smooth_intercept(row_loss, weights, margin, y, none, 0, s.b, s.a, curvature);
      balance(row_loss, weights, s.a);
    } else {
      s.b = 0;
      row_loss.dual_steps(margin, 0, y, none, 0, s.a, curvature);
    }
    Vec u = dual_sum(s.a, tick);
    return certify_at(s.w, (margin.array() + s.b).matrix(), s.a, u);
  }

  // What certify_at() gives for ridge where a is the slope of a smooth loss at z: the losses' part
  // of the gap is then zero, and what is left is |grad P|^2 / (2 l2). For steps on the way, whose
  // bound decides nothing; it spares a logarithm or two a row.
  Certificate estimate_at_slopes(const Vec& w, const Vec& z, const Vec& u) const {
    const double value = row_loss.value(weights, z, y) / total_weight + penalty.value(w);
    return Certificate(value, penalty_gap(w, u, 1));
  }

  // Any pair (w, b), a: b becomes 0 unless it is free, a is balanced and scaled into the feasible
  // set in place.
  Certificate certify(Solution& s, Tick& tick) const {
    Vec scores;
    return certify(s, scores, tick);
  }
  Certificate certify(Solution& s, Vec& scores, Tick& tick) const {
    if (!free_intercept) s.b = 0;
    scores = (margins(s.w, tick).array() + s.b).matrix();
    if (free_intercept) balance(row_loss, weights, s.a);
    Vec u = dual_sum(s.a, tick);
    return certify_at(s.w, scores, s.a, u);
  }

  // As certify(), with the b that is best for s.w.
  Certificate certify_at_best_intercept(Solution& s, Tick& tick) const {
    const Vec margin = margins(s.w, tick);
    s.b = best_intercept(margin, s.b);
    if (free_intercept) balance(row_loss, weights, s.a);
    Vec u = dual_sum(s.a, tick);
    return certify_at(s.w, (margin.array() + s.b).matrix(), s.a, u);
  }

  // The dual point alone: w = grad g*(-u) is recomputed from it. Also right for kernels, whose
  // squared norm needs the coefficients: -omega_i a_i / (W l2).
  Certificate certify_dual(Solution& s, Tick& tick) const {
    const Vec u = dual_sum(s.a, tick);
    s.w = u.unaryExpr([this](double v) { return penalty.grad_conjugate(-v); });
    const Vec z = margins(s.w, tick);
    const double losses = row_loss.value(weights, z, y) / total_weight;
    const FenchelSums sums = row_loss.fenchel_sums(weights, z, s.a, 1, y);
    const double loss_gap = sums.gap / total_weight;
    if (penalty.l1 == 0) {
      // g(w) + g*(-u) + u'w = l2/2 |w|^2 + l2/2 |w|^2 - l2 |w|^2 = 0 at w = -u / l2
      const Vec coef = weights.cwiseProduct(s.a) / (-total_weight * penalty.l2);
      const double value = losses + 0.5 * penalty.l2 * x.inner(s.w, coef);
      return Certificate(value, loss_gap, rounding_of(sums, value, s.w, u, 1));
    }
    const double value = losses + penalty.value(s.w);
    return Certificate(value, loss_gap + penalty_gap(s.w, u, 1),
                       rounding_of(sums, value, s.w, u, 1));
  }

  // Everything computed: scores z (intercept included), duals a, dual sum u. O(n + dim).
  Certificate certify_at(const Vec& w, const Vec& z, Vec& a, Vec& u) const {
    const double theta = dual_scale(a, u);
    const double value = row_loss.value(weights, z, y) / total_weight + penalty.value(w);
    const FenchelSums sums = row_loss.fenchel_sums(weights, z, a, theta, y);
    const double gap = sums.gap / total_weight + penalty_gap(w, u, theta);
    const double rounding = rounding_of(sums, value, w, u, theta);
    a *= theta;
    u *= theta;
    return Certificate(value, gap, rounding);
  }

  // sqrt((1/W) sum_i omega_i x_ij^2) of every column, made when first asked for.
  const Vec& column_norms() const {
    if (column_norms_.size() == x.dim()) return column_norms_;
    Vec squares = Vec::Zero(x.dim());
    for (Index i = 0; i < n(); ++i) {
      const double share = weights[i] / total_weight;
      if (share > 0) x.for_each(i, [&](Index j, double v) { squares[j] += share * v * v; });
      longest_row_ = std::max(longest_row_, static_cast<double>(x.nonzeros(i)));
    }
    column_norms_ = squares.cwiseSqrt();
    return column_norms_;
  }

 private:
  double penalty_gap(const Vec& w, const Vec& u, double theta) const {
    return sum_over(w.size(), [&](Index j) {
      return penalty.value(w[j]) + penalty.conjugate(-theta * u[j]) + theta * u[j] * w[j];
    });
  }

  // How far value - gap, as computed, can be above D(a) of the exactly feasible a next to the one
  // that was stored. With scores z + e and a dual sum u + d that are wrong by e and d,
  //
  //   value - gap - D(a) = (1/W) sum omega a e + b/W sum omega a - d'w + g^*(-u) - g^*(-u - d)
  //                        + roundings of the summed terms themselves,
  //
  // where g^* is convex: its difference and d'w are together at most |d|'|grad g^*(-u - d) - w| +
  // |d|^2 / l2. Terms: some roundings each, in units of |phi| + |phi^*| + |a z|, l1 |w|, ... (b is
  // in z). Scores: |e_i| <= k eps sum_j |x_ij| |w_j|, k for a row of m entries as the square root
  // of m (N. J. Higham and T. Mary 2019, doi:10.1137/18M1226312), and by Cauchy and Schwarz
  //   (1/W) sum omega |a_i| |x_ij| <= a_rms norm_j,
  // which bounds |d_j| likewise. Without l2 the point has room for d (dual_scale()); with little l2
  // a factor 1 - max |d_j| / l1 makes it, at the expense of that share of D(a) - D(0), D being
  // concave.
  double rounding_of(const FenchelSums& sums, double value, const Vec& w, const Vec& u,
                     double theta) const {
    constexpr double eps = 2.2e-16;
    const double size = sums.size / total_weight;
    if constexpr (!has_entries<Data>::value) {
      return Certificate::rounding_of(value) + 64 * eps * size;  // a kernel's scores
    } else {
      const Vec& norm = column_norms();
      const double a_rms = std::sqrt(sums.slope_squares / total_weight);
      const double adding = dual_sum_rounding(a_rms);
      double penalties = 0, reach = 0, bend = 0, outside = 0;
      for (Index j = 0; j < w.size(); ++j) {
        const double v = theta * u[j], d = adding * norm[j];
        penalties += penalty.value(w[j]) + penalty.conjugate(-v) + std::abs(v * w[j]);
        reach += norm[j] * std::abs(w[j]);
        if (penalty.l2 == 0) continue;
        bend += d * (std::abs(penalty.grad_conjugate(-v) - w[j]) + d / penalty.l2);
        if (penalty.l1 > 0) outside = std::max(outside, d / penalty.l1);
      }
      const double dual =
          penalty.l1 > 0 ? std::min(bend, outside * (size + std::abs(value))) : bend;
      const double scores = eps * (2 + std::sqrt(longest_row_)) * a_rms * reach;
      const double drift = std::abs(sums.slopes) + 16 * eps * sums.slope_size;
      const double b = free_intercept ? sums.score_size / total_weight + reach : 0.0;
      return Certificate::rounding_of(value) + 4 * eps * (size + penalties) + scores + dual +
             b * drift / total_weight;
    }
  }

  static constexpr Index block_rows = 32;
  // d_j / norm_j: the additions that enter the error of a coordinate of dual_sum() times a_rms
  double dual_sum_rounding(double a_rms) const {
    const double rows = static_cast<double>(n()), width = static_cast<double>(block_rows);
    const double entries = longest_row_ > 0 ? longest_row_ : 1;
    const double worth = 4 * static_cast<double>(x.dim()) / entries;
    const double block = std::min(rows, std::max(width, worth));
    return 1.1e-16 * (block + std::min(rows / block, width) + rows / (block * width)) * a_rms;
  }

  mutable Vec column_norms_;
  mutable double longest_row_ = 0;

  // With an l1 part the raw dual point is useless where |u_j| > l1 by far: the best multiple theta
  // a is taken. D(theta) is concave; theta_max is the largest multiple with g* = 0, hence feasible
  // for the lasso (with room for the rounding of u there), and below it D only falls. For a loss
  // without constraints theta may pass 1.
  double dual_scale(const Vec& a, const Vec& u) const {
    if (penalty.l1 == 0) return 1;
    double largest = u.size() > 0 ? u.cwiseAbs().maxCoeff() : 0.0;
    if (largest == 0) return 1;
    if (penalty.l2 == 0 && has_entries<Data>::value) {
      const Vec& norm = column_norms();
      const double aa = sum_over(n(), [&](Index i) { return weights[i] * a[i] * a[i]; });
      const double rounding = dual_sum_rounding(std::sqrt(aa / total_weight));
      for (Index j = 0; j < u.size(); ++j) {
        largest = std::max(largest, std::abs(u[j]) + rounding * norm[j]);
      }
    }
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

// Of the best pair of a run, recomputed from its points.
template <class Problem>
Certificate certify_best(const Problem& problem, const Best& best, Tick& tick) {
  Solution s{best.primal(), best.dual(), ""};
  return problem.certify(s, tick);
}

// The problem together with its loss as a type: what solvers that visit one row at a time need.
template <class D, class L>
struct ErmWithLoss : Erm<D> {
  using Loss = L;
  Loss loss;

  ErmWithLoss(const Erm<D>& problem, const Loss& loss_) : Erm<D>(problem), loss(loss_) {}
};

}  // namespace dualmargin::linear
