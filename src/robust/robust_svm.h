// The Wasserstein distributionally robust support vector machine, the problem of the robust family:
// J. Li, C. Chen, A. M.-C. So (2020), Fast Epigraphical Projection-based Incremental Algorithms for
// Wasserstein Distributionally Robust Support Vector Machine, NeurIPS 33, arXiv:2010.12865, (1),
//
//   P(w, b, t) = t \epsilon + \frac1W \sum_i \omega_i h_i + \frac c2 |w|_2^2,   |w|_q \le t,
//   h_i = \max(1 - u_i,\ 1 + u_i - \kappa t,\ 0),   u_i = y_i (w^\top x_i + b),
//   W = \sum_i \omega_i,
//
// with the radius \epsilon, the label cost \kappa in [0, \infty] and the ridge c; t is the paper's
// \lambda. Its dual has multipliers of the first two pieces, \alpha_i, \beta_i \ge 0, \alpha_i +
// \beta_i \le 1 (without the row's weight), and for a free b  \sum_i \omega_i y_i (\alpha_i -
// \beta_i) = 0:
//
//   D(\alpha, \beta) = \frac1W \sum_i \omega_i (\alpha_i + \beta_i) - dist_2(v, \theta B_p)^2 / 2c,
//   v = \frac1W \sum_i \omega_i (\alpha_i - \beta_i) y_i x_i,
//   \theta = \epsilon - \frac\kappa W \sum_i \omega_i \beta_i \ge 0,     1/p + 1/q = 1;
//
// for c = 0 the distance must be zero. The gap is summed as
//
//   \frac1W \sum_i \omega_i [h_i - \alpha_i (1 - u_i) - \beta_i (1 + u_i - \kappa t)]
//     + [t \theta - v^\top w + \frac c2 |w|_2^2 + dist_2(v, \theta B_p)^2 / 2c],
//
// both parts non-negative: nothing cancels near the optimum.
//
// What rounding can have done to it is bounded by the sizes of the terms, see rounding().
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "algebra/norm_cone.h"
#include "base/kept.h"
#include "base/rounding.h"
#include "rows/row_sums.h"
#include "rows/rows.h"
#include "run/incumbent.h"
#include "run/outcome.h"
#include "run/run.h"
#include "run/snapshot.h"

namespace dualmargin::robust {

// What a robust solver returns: a primal point (w, b, t) and multipliers (alpha, beta) of the rows.
struct Primal {
  Vec w;
  double b = 0, t = 0;
  RowVec z;  // the scores x_i'w + b as certify() left them
};
struct Dual {
  RowVec alpha, beta;
  Vec v;  // (1/W) sum_i omega_i (alpha_i - beta_i) y_i x_i as certify() left it
};
struct Solution : Primal, Dual {
  const char* solver = "";  // the one that finished

  bool finite(const RowSums& rows) const {
    return w.allFinite() && std::isfinite(b) && std::isfinite(t) &&
           !rows.any([&](Index i) { return !std::isfinite(alpha[i] + beta[i]); });
  }
};

using Best = Incumbent<Primal, Dual>;
using Seen = Snapshot<Primal, Dual>;

struct Settings {
  NormCone cone;
  double radius = 0, label_cost = 0, ridge = 0;
  bool free_intercept = false;
};

// H = (1/W) sum_i omega_i x_i x_i' with a bound on its eigenvalues; where the intercept is free of
// the columns less their mean, else that is zero.
struct Moments {
  Mat H;
  Vec mean;
  double curvature = 0;
};

class RobustSvm {
 public:
  const Rows rows;
  const Settings settings;
  const NormCone cone = settings.cone;
  const double radius = settings.radius, label_cost = settings.label_cost, ridge = settings.ridge;
  const bool free_intercept = settings.free_intercept;
  Seen* seen = nullptr;  // is told of every pair that is certified or estimated

  RobustSvm(const Rows& rows_, const Settings& s)
      : rows(rows_), settings(s), known_(std::make_shared<Known>()) {}
  // At another radius, which what is known below does not hang on.
  RobustSvm(const RobustSvm& like, double radius_)
      : rows(like.rows), settings(at(like.settings, radius_)), known_(like.known_) {}

  Index n() const { return rows.n(); }
  Index dim() const { return rows.dim(); }
  double share(Index i) const { return rows.share(i); }
  // (1/W) sum_i omega_i |x_i|^2
  double mean_square() const;
  // Without a radius t costs nothing, so no label is worth a flip: the second piece drops out.
  bool flips() const { return std::isfinite(label_cost) && (radius > 0 || label_cost == 0); }
  double flip_cost() const { return flips() ? label_cost : 0.0; }
  // Without radius and ridge D(alpha, beta) = 0 but where v = 0 to the last digit: the bound is
  // then one on |w|_q <= norm_limit() only.
  bool conditional() const { return radius == 0 && ridge == 0 && label_cost > 0; }
  double norm_limit(const Vec& w) const;

  // What these make is kept, unless the time is over: the moments, and the norm of the saddle
  // point's bilinear form (saddle.h).
  std::shared_ptr<const Moments> moments(FunctionRef<Moments()> make, Tick& tick) const;
  double saddle_norm(FunctionRef<double()> make, Tick& tick) const;

  // P at w = 0 and the best b and t: the yardstick of the relative gap. Without a free intercept
  // that is 1, at t = 0. With one let p be the smaller of the shares of both labels and u = b >= 0
  // for the other label. Rows of the smaller class are on their first piece, 1 + b, so
  //
  //   P(0, b, t) = t epsilon + (1 - p) max(1 - b, 1 + b - kappa t, 0) + p (1 + b),
  //
  // for b > 1 rising. In t it falls, if at all, up to the kink at kappa t = 2 b: there
  // P = 1 + b (2 p - 1 + 2 epsilon / kappa), linear in b and so least at b = 0 or at b = 1; at
  // t = 0 P = 1 + b.
  double null_value() const { return std::min(1.0, constant_value()); }

  double class_share(double label) const;

  // Until an iterate of finite numbers is known: the best constant, and the bound 0.
  Best null_point(Iterate kept = Iterate::best) const;

  // See run/outcome.h.
  Solution with_nothing(Solution s, bool primal, bool dual) const;

  double row_loss(double u, double t) const;

  // z_i = x_i'w + b
  RowVec scores(const Vec& w, double b, Tick& tick) const;

  // v = (1/W) sum omega_i (alpha_i - beta_i) y_i x_i
  Vec dual_sum(const RowVec& alpha, const RowVec& beta, Tick& tick) const;

  double value(const Vec& w, double t, const RowVec& z) const;

  // The t >= |w|_q that is best for these scores. P is piecewise linear in it: row i leaves its
  // second piece at t_i = (1 + u_i - max(1 - u_i, 0)) / kappa.
  double best_t(const Vec& w, const RowVec& z) const;

  // Any multipliers into the feasible set but for the norm of v: clipped to the triangle, and for a
  // free intercept the larger of alpha_i, beta_i brought nearer to the smaller on the heavier side
  // until the sides balance. The sum of all then loses no more than they were out of balance.
  void clip_and_balance(RowVec& alpha, RowVec& beta) const;

  // Of any two points, made feasible in place: b becomes 0 unless it is free, t is raised to |w|_q.
  Certificate certify(Primal& s, Dual& d, Tick& tick) const;
  Certificate certify(Solution& s, Tick& tick) const { return certify(s, s, tick); }

  // The same where the caller carries feasible points with their scores z and sum v. O(n + dim).
  Certificate estimate(const Primal& s, Dual& d) const;

  // Takes from a certified point what is better, or last, and says what the pair is then worth.
  Certificate offer(Best& best, const Solution& s, const Certificate& c) const;
  // Of the pair that a run has found, from the definitions.
  Certificate certify(const Best& best, Tick& tick) const;

 private:
  struct Known {
    KeptInTime<Moments> moments;
    KeptInTime<double> saddle_norm[2];  // without flips, and with them
  };
  static Settings at(Settings s, double radius);

  struct Sizes {
    double active, reach, forces, pull, multipliers;
  };

  // How far the gap of estimate() can be from that of its point in exact arithmetic, but for the
  // sums, base/rounding.h. A score is off by k roundings of |x_i| |w|, k those of the longest row,
  // and two of |b|, which moves the rows with multipliers or a loss; v by
  // \delta = (8 + additions) u \frac1W \sum_i \omega_i |\alpha_i - \beta_i| |x_i|;
  // theta by 16 u epsilon and by what Rows leave of flipped. D then moves by
  // \delta (|w| + dist / c), or, where no ridge forgives that |v|_p > theta, by the share of the
  // multipliers that feasibility takes. What they are out of balance, r, counts |b| times, and
  // costs as much of the multipliers and their part of v to balance.
  double rounding(const Primal& s, const Dual& d, double flipped, double beyond,
                  const Sizes& size) const;

  // sum_i omega_i a_i / W
  template <class A>
  double mass_of(const A& a) const;
  // sum_i omega_i y_i (alpha_i - beta_i) / W
  double balance(const Dual& d) const;
  // P(0, b, t) at |b| = 1, the label of the larger class
  double constant_value() const;
  // half the squared distance of v from the ball of the dual norm
  double distance(double theta, const Vec& v) const;

  // The multiple of (alpha, beta) that is feasible and best. Two roundings below the boundary, so
  // that the constraint holds in floating point. With a ridge D is concave in the multiple s, and
  //
  //   D'(s) = (1/W) sum_i omega_i (alpha_i + beta_i) - [(s v - z)'v + nu flipped] / c,
  //
  // z the projection of s v onto the ball of radius epsilon - s flipped, which pulls with nu.
  double dual_scale(const Dual& d) const;

  std::shared_ptr<Known> known_;
};

// Where every method begins: w = 0 with t = 1, as the paper's code does, and half of each label.
Solution starting_point(const RobustSvm& problem, const Solution& start);

// What leaves the robust family: the returned point with its certificate recomputed from the
// definitions, and how the run ended.
struct Report : Outcome {
  Solution solution;
  // The bound holds for |w|_q up to this; infinite but for radius = 0 without ridge.
  double norm_limit = HUGE_VAL;
};

Report report(const RobustSvm& problem, Solution s, Run& run);

}  // namespace dualmargin::robust
