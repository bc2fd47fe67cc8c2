// Regularised empirical risk minimisation, the problem of the linear family:
//
//   P(w, b) = \frac1W \sum_i \omega_i \phi(w^\top x_i + b; y_i) + g(w),    W = \sum_i \omega_i
//   D(a)    = -\frac1W \sum_i \omega_i \phi^*(a_i; y_i) - g^*(-u)
//   u       = \frac1W \sum_i \omega_i a_i x_i
//
// with g the elastic net. D(a) <= P(w, b) for every a in the domain of phi^* that, when the
// intercept b is free, also satisfies \sum_i \omega_i a_i = 0, and u_j = 0 for every column j that
// bears no penalty (free_columns.h). A penalised intercept is the data's bias coordinate; without
// one b stays 0. With an offset o_i the loss of a row is phi(z + o_i), its
// conjugate phi^*(a) - a o_i (loss/row_losses.h), and z stays x_i'w + b. The gap is summed as
//
//   \frac1W \sum_i \omega_i [\phi(z_i) + \phi^*(a_i) - a_i z_i] + [g(w) + g^*(-u) + u^\top w],
//
// whose terms are non-negative one by one (Fenchel-Young), so nothing cancels near the optimum.
// What rounding can have done to it is bounded by the size of the terms (rounding_of() below).
#pragma once

#include <functional>
#include <utility>

#include "base/illinois.h"
#include "base/rounding.h"
#include "linear/free_columns.h"
#include "linear/solution.h"
#include "loss/elastic_net.h"
#include "loss/row_losses.h"
#include "rows/columns.h"
#include "rows/rows.h"

namespace dualmargin::linear {

struct LinearProblem {
  Rows rows;
  RowLosses losses;
  ElasticNet penalty;
  std::function<Columns()> columns;  // x by features, for the solvers that ask
  Seen* seen = nullptr;              // is told of every pair that is certified

  LinearProblem(const Rows& rows_, const AnyLoss& loss, const ElasticNet& g, bool free)
      : rows(rows_),
        losses(loss, rows.y, rows.weights, free, rows.team, rows.total_weight, rows.offset),
        penalty(g) {}
  LinearProblem(const LinearProblem&) = delete;

  Index n() const { return rows.n(); }
  Index dim() const { return rows.dim(); }
  double null_value() const { return losses.null_value(); }

  // What a method begins with: zero weights where there is no start.
  Solution begin(const Solution& start, const char* solver) const {
    Solution s = start;
    s.solver = solver;
    if (s.w.size() != dim()) s.w = Vec::Zero(dim());
    return s;
  }

  // max_i omega_i |x_i|^2 / (W gamma): the 1/(n gamma) of normalised rows without weights. Times n
  // it bounds the smoothness of every term n omega_i / W phi(x_i'w).
  double row_smoothness() const {
    const RowVec& squares = rows.squared_norms();
    const double largest = rows.max([&](Index i) { return rows.weights[i] * squares[i]; });
    return largest / (rows.total_weight * losses.loss.gamma());
  }

  // u of a dual point. That of the last point asked for is kept, as are the scores: a method
  // certifies the point it returns, and its report asks once more.
  const Vec& dual_sum(const RowVec& a, Tick& tick) const {
    const auto other = [&](Index i) { return known_a_[i] != a[i]; };
    if (!knows_u_ || rows.any(other)) {
      known_u_ = rows.transpose_multiply(rows.weights * a / rows.total_weight, tick);
      known_a_ = a;
      knows_u_ = true;
    }
    return known_u_;
  }
  // x_i'w
  const RowVec& margins(const Vec& w, Tick& tick) const {
    if (known_w_.size() != dim() || known_w_ != w || known_z_.size() != n()) {
      known_z_ = rows.multiply(w, tick);
      known_w_ = w;
    }
    return known_z_;
  }
  // See run/nothing.h.
  Solution with_nothing(Solution s, bool primal, bool dual) const {
    if (primal) {
      s.w = Vec::Zero(dim());
      s.b = losses.best_intercept(RowVec::Zero(n()), 0);
    }
    if (dual) s.a = RowVec::Zero(n());
    return s;
  }
  FreeColumns free_columns() const { return {rows, losses, penalty.columns->free}; }
  SummedDual summed(RowVec a, Tick& tick) const {
    if (penalty.any_free()) {
      a = free_columns().balanced(std::move(a), tick);
    } else {
      losses.balance(a);
    }
    Vec u = dual_sum(a, tick);
    return {{std::move(a)}, std::move(u)};
  }
  // Slopes at the best b are feasible as they are, but where columns bear no penalty. u: their sum.
  SummedDual of_slopes(const RowVec& a, const Vec& u, Tick& tick) const {
    return penalty.any_free() ? summed(a, tick) : SummedDual{{a}, u};
  }
  // b becomes 0 unless it is free.
  ScoredPrimal scored(const Primal& p, Tick& tick) const {
    const double b = losses.free_intercept ? p.b : 0.0;
    return {{p.w, b}, margins(p.w, tick) + b};
  }
  ScoredPrimal scored_at_best(const Primal& p, Tick& tick) const {
    ScoredPrimal s{p, margins(p.w, tick)};
    s.b = losses.best_intercept(s.z, p.b);
    s.z += s.b;
    return s;
  }

  // Any pair, a balanced where the intercept is free: d is scaled into the feasible set.
  // O(n + dim).
  Certificate certify(const ScoredPrimal& p, SummedDual& d, Tick& tick) const {
    const double penalised = penalty.value(p.w);
    const double theta = penalty.l1 == 0 ? 1 : dual_scale(d, losses.value(p.z) + penalised, tick);
    const FenchelSums sums = losses.fenchel(p.z, d.a, theta);
    d.a *= theta;
    d.u *= theta;
    const double value = sums.value + penalised, gap = sums.gap + penalty.gap(p.w, d.u);
    return told(p, d, Certificate(value, gap, rounding_of(sums, value, p.w, d.u, tick)));
  }
  Certificate told(const Primal& p, const Dual& d, const Certificate& c) const {
    if (seen != nullptr) seen->offer(p, d, c);
    return c;
  }
  // From the definitions.
  Certificate certify(Solution& s, Tick& tick) const {
    const ScoredPrimal p = scored(s, tick);
    SummedDual d = summed(std::move(s.a), tick);
    const Certificate c = certify(p, d, tick);
    s.b = p.b;
    s.a = std::move(d.a);
    return c;
  }

 private:
  mutable bool knows_u_ = false;
  mutable RowVec known_a_, known_z_;
  mutable Vec known_u_, known_w_;

  // How far value - gap, as computed, can be above D(a) of the exactly feasible a next to the one
  // that was stored. With scores z + e and a dual sum u + d that are wrong by e and d,
  //
  //   value - gap - D(a) = (1/W) sum omega a e + b/W sum omega a - d'w + g^*(-u) - g^*(-u - d)
  //                        + roundings of the summed terms themselves,
  //
  // where g^* is convex: its difference and d'w are together at most |d|'|grad g^*(-u - d) - w| +
  // |d|^2 / l2. Terms: some roundings each, in units of |phi| + |phi^*| + |a z|, l1 |w|, ... (b is
  // in z). Scores: |e_i| <= k u sum_j |x_ij| |w_j|, k of the longest row, base/rounding.h, and by
  // Cauchy and Schwarz
  //   (1/W) sum omega |a_i| |x_ij| <= a_rms norm_j,
  // which bounds |d_j| likewise. Without l2 the point has room for d (dual_scale()): g^* is 0 at
  // both, and d'w is left. With little l2 a factor 1 - max |d_j| / l1 makes it, at the expense of
  // that share of D(a) - D(0), D being concave. Without a penalty u_j itself is what rounding has
  // left: it stands with w_j as sum omega a does with b, |w_j| no less than scores are made of.
  double rounding_of(const FenchelSums& sums, double value, const Vec& w, const Vec& u,
                     Tick& tick) const {
    const Vec& norm = rows.column_norms(tick);
    const double a_rms = std::sqrt(sums.slope_squares), adding = dual_sum_rounding(a_rms);
    double penalties = 0, reach = 0, bend = 0, outside = 0, open = 0;
    for (Index j = 0; j < w.size(); ++j) {
      const double d = adding * norm[j];
      reach += norm[j] * std::abs(w[j]);
      if (penalty.free(j)) {
        const double most = std::abs(w[j]) + (norm[j] > 0 ? sums.score_size / norm[j] : 0);
        open += most * (std::abs(u[j]) + d);
        continue;
      }
      penalties += penalty.value(j, w[j]) + penalty.conjugate(j, -u[j]) + std::abs(u[j] * w[j]);
      if (penalty.l2 == 0) {
        bend += d * (farthest_bound(j) + std::abs(w[j]));
        continue;
      }
      bend += d * (std::abs(penalty.grad_conjugate(j, -u[j]) - w[j]) + d / penalty.l2);
      if (penalty.l1 > 0) outside = std::max(outside, d / penalty.l1_of(j));
    }
    const bool room = penalty.l1 > 0 && penalty.l2 > 0;
    const double dual = room ? std::min(bend, outside * (sums.size + std::abs(value))) : bend;
    const double scores = rounding::of_score(rows.longest_row()) * a_rms * reach;
    const double drift = std::abs(sums.slopes) + rounding::of_value() * sums.slope_size;
    const double b = losses.free_intercept ? sums.score_size + reach : 0.0;
    return Certificate::rounding_of(value) + rounding::of_term() * (sums.size + penalties) +
           scores + dual + open + b * drift;
  }
  // d_j / norm_j: the additions that enter the error of a coordinate of a dual sum and the
  // roundings of a term omega_i a_i x_ij / W, times a_rms
  double dual_sum_rounding(double a_rms) const {
    return rounding::of(rows.additions() + 8) * a_rms;
  }

  // Where l2 is 0 and g* beyond l1 is a bound times what is beyond.
  double farthest_bound(Index j) const {
    const double low = -penalty.lower(j), high = penalty.upper(j);
    return std::max(std::isinf(low) ? 0.0 : low, std::isinf(high) ? 0.0 : high);
  }
  // Must -u_j be within l1, where l2 is 0? On a side with a bound g* is finite beyond.
  bool must_fit(Index j, double u) const {
    return std::isinf(u < 0 ? penalty.upper(j) : penalty.lower(j));
  }

  // With an l1 part the raw dual point is useless where |u_j| > l1 by far: the best multiple theta
  // a is taken, up to 1 and without l2 up to `fits`, which keeps |u_j| <= l1 with room for the
  // rounding of u. Duals without constraints may then be any multiple. D(theta) is concave.
  double dual_scale(const SummedDual& d, double value, Tick& tick) const {
    double largest = d.u.size() > 0 ? d.u.cwiseAbs().maxCoeff() : 0.0;
    if (largest == 0) return 1;
    const bool lasso = penalty.l2 == 0, alike = penalty.columns == nullptr;
    const bool anywhere = lasso && alike && losses.loss.dual_shift();
    const bool flat = lasso && !penalty.bounded();  // g* is 0 wherever it is finite
    if (lasso) {
      const double aa = rows.sum([&](Index i) { return rows.share(i) * d.a[i] * d.a[i]; });
      const Vec& norm = rows.column_norms(tick);
      largest = 0;
      for (Index j = 0; j < d.u.size(); ++j) {
        if (penalty.free(j)) continue;
        const double least = dual_sum_rounding(std::sqrt(aa)) * norm[j];
        // within rounding of 0 it may be on either side
        const bool fits = std::abs(d.u[j]) > least && !must_fit(j, d.u[j]);
        if (!fits) largest = std::max(largest, (std::abs(d.u[j]) + least) / penalty.factor(j));
      }
      if (largest == 0) largest = 1e-300 * penalty.l1;
    } else if (!alike) {
      largest = 0;
      for (Index j = 0; j < d.u.size(); ++j) {
        if (!penalty.free(j)) largest = std::max(largest, std::abs(d.u[j]) / penalty.factor(j));
      }
    }
    // two roundings below the boundary, so that |theta u_j| <= l1 holds in floating point
    const double fits = penalty.l1 / largest * (1 - 4e-16);
    const double least = anywhere ? -fits : 0;
    double high = anywhere ? fits : lasso ? std::min(fits, 1.0) : 1.0;
    // D' or, where a hundredth of the gap is all that other multiples can gain, 0
    const auto rise = [&](double theta) {
      auto [conjugate, slope] = losses.conjugate(d.a, theta);
      if (!flat) {
        conjugate += penalty.conjugate(-theta * d.u);
        slope -= sum_over(d.u.size(), [&](Index j) {
          return d.u[j] * penalty.grad_conjugate(j, -theta * d.u[j]);
        });
      }
      const double gain = slope * (slope < 0 ? theta - high : theta - least);
      const double gap = std::max(value + conjugate, 1e-12 * std::abs(value));
      return gain <= 1e-2 * gap ? 0.0 : -slope;
    };
    double low = least, at_low = 0, at_high = rise(high);
    if (at_high == 0) return high;
    if (fits < high) {  // where g* begins, D' has a kink
      const double at = rise(fits);
      if (at == 0) return fits;
      (at > 0 ? low : high) = fits;
      (at > 0 ? at_low : at_high) = at;
    }
    if (at_low == 0) at_low = rise(low);
    return at_low == 0 ? low : illinois(rise, low, at_low, high, at_high, 0);
  }
};

// Of the best pair of a run, recomputed from its points.
template <class Problem>
Certificate certify_best(const Problem& problem, const Best& best, Tick& tick) {
  Solution s{best.primal(), best.dual(), ""};
  return problem.certify(s, tick);
}

}  // namespace dualmargin::linear
