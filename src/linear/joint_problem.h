// All classes in one problem: a weight vector for each of k classes, and a loss of their k scores.
//
//   P(w, b) = \frac1W \sum_i \omega_i \phi(z_i; y_i) + \sum_c g(w_c),    z_{ic} = w_c^\top x_i + b_c
//   D(u)    = -\frac1W \sum_i \omega_i \phi^*(a_i; y_i) - \sum_c g^*(-v_c)
//   v_c     = \frac1W \sum_i \omega_i a_{ic} x_i,    a_i = u_i - e_{y_i}
//
// with g the elastic net, every u_i on the simplex, and \sum_i \omega_i a_i = 0 where the intercepts
// are free (loss/multiclass.h has the losses). The gap of a pair is the sum
//
//   \frac1W \sum_i \omega_i [\phi(z_i) + \phi^*(a_i) - a_i^\top z_i]
//     + \sum_c [g(w_c) + g^*(-v_c) + v_c^\top w_c]
//
// of terms that are non-negative one by one. Since \sum_c a_{ic} = 0, so is \sum_c v_c: adding one
// vector to all w_c changes no loss. The optimum of a ridge has \sum_c w_c = 0; with an l1 part of
// these sums each column has the one that makes its penalty least.
//
// Every multiple theta in [0, 1] of a is feasible if a is: theta u + (1 - theta) e_y is on the
// simplex.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "base/rounding.h"
#include "linear/joint_solution.h"
#include "loss/class_intercepts.h"
#include "loss/elastic_net.h"
#include "loss/multiclass.h"
#include "rows/rows.h"
#include "run/nothing.h"

namespace dualmargin::linear {

template <class L>
struct JointProblem {
  using Loss = L;

  Rows rows;
  const std::vector<Index>& y;  // classes, from 0
  Index classes;
  ElasticNet space;  // of each class; of Crammer and Singer's loss a ridge
  bool free_intercept;
  JointSeen* seen = nullptr;  // is told of every pair that is certified

  Index n() const { return rows.n(); }
  Index dim() const { return rows.dim(); }
  Loss loss() const { return Loss(classes); }

  // P at w = 0 and, for the softmax loss, the best b.
  double null_value() const {
    if (!free_intercept || !Loss::smooth) return loss().at_zero();
    const Vec share = class_shares();
    return sum_over(classes,
                    [&](Index c) { return share[c] > 0 ? -share[c] * std::log(share[c]) : 0.0; });
  }
  Vec class_shares() const {
    return sums(rows, classes, [&](Index i, Index c) { return y[i] == c ? rows.share(i) : 0.0; });
  }

  // Where a method begins: no weights, free intercepts at the logarithms of the class shares. A
  // start loses what all of its weight vectors have in common.
  JointSolution begin(const JointSolution& start, const char* solver) const {
    JointSolution s = start;
    s.solver = solver;
    if (s.w.rows() != dim() || s.w.cols() != classes) {
      s.w = Mat::Zero(dim(), classes);
      s.b = Vec::Zero(classes);
      if (free_intercept) s.b = class_shares().array().log();
    }
    if (space.l1 == 0) s.w.colwise() -= s.w.rowwise().mean().eval();
    return s;
  }
  // The optimum where no column is in use.
  JointSolution null_model() const {
    JointSolution s = with_nothing({}, true, false);
    s.u = probabilities(RowMat(Mat(s.b.replicate(1, n()))));
    balance(s.u);
    return s;
  }

  // See run/nothing.h.
  JointSolution with_nothing(JointSolution s, bool primal, bool dual) const {
    if (primal) {
      s.w = Mat::Zero(dim(), classes);
      s.b = Vec::Zero(classes);
      if (free_intercept && Loss::smooth) s.b = class_shares().array().log();
    }
    if (dual) s.u = no_pull();
    return s;
  }
  // The dual point a = 0.
  RowMat no_pull() const {
    RowMat u = RowMat::zero(n(), classes);
    for (Index i = 0; i < n(); ++i) u(i, y[i]) = 1;
    return u;
  }

  // Of the softmax loss, where it is smooth: slopes are u - e_y.
  static RowMat probabilities(RowMat z) {
    for (Index i = 0; i < z.size(); ++i) {
      auto u = z[i];
      u = (u.array() - u.maxCoeff()).exp();
      u /= u.sum();
    }
    return z;
  }

  RowMat scores(const Mat& w, const Vec& b, Tick& tick) const {
    RowMat z(n(), classes);
    for (Index c = 0; c < classes; ++c) {
      RowVec own = rows.multiply(w.col(c), tick);
      if (free_intercept) own += b[c];
      z.set_entry(c, own);
    }
    return z;
  }
  // sum_i q_ic x_i for every class, and sum_i q_ic where the intercepts are free
  struct Pull {
    Mat v;
    Vec drift;
  };
  Pull pull(const RowMat& q, Tick& tick) const {
    Pull p{Mat(dim(), classes), Vec::Zero(classes)};
    for (Index c = 0; c < classes; ++c) p.v.col(c) = rows.transpose_multiply(q.entry(c), tick);
    if (free_intercept) p.drift = sums(rows, classes, [&](Index i, Index c) { return q(i, c); });
    return p;
  }
  // omega_i a_i / W
  RowMat shares(const RowMat& u) const {
    RowMat q = u;
    for (Index i = 0; i < n(); ++i) {
      q(i, y[i]) -= 1;
      q[i] *= rows.share(i);
    }
    return q;
  }

  // For free intercepts, (1 - theta) u + theta p with the p, the same for all rows, that makes
  // sum_i omega_i a_i zero: of every u a feasible point, with the theta that is as small as p >= 0
  // allows.
  void balance(RowMat& u) const {
    if (!free_intercept) return;
    const Vec mass = sums(rows, classes, [&](Index i, Index c) { return rows.share(i) * u(i, c); });
    const ClassBalance made = balance_of(mass, class_shares());
    if (!(made.theta > 0)) return;
    const Vec constant = made.theta * made.point;
    for (Index i = 0; i < n(); ++i) u[i] = (1 - made.theta) * u[i] + constant;
  }

  // The multiple of a, of an l1 part: 1 or, where that brings a larger bound or is the only one that
  // is feasible, the largest with |v| <= l1, with room for the rounding of v and for that of the
  // point: an entry of u beside a label is stored next to one, so that scaling leaves errors of an
  // eps in a, however small a is.
  double dual_scale(const RowMat& u, const Mat& v, Tick& tick) const {
    if (space.l1 == 0) return 1;
    Mat size = v.cwiseAbs();
    if (space.l2 == 0) {
      const Vec squares = squared_slopes(shares(u));
      for (Index c = 0; c < classes; ++c) {
        size.col(c) += dual_rounding(std::sqrt(squares[c])) * rows.column_norms(tick);
      }
    }
    const double largest = size.size() > 0 ? size.maxCoeff() : 0.0;
    if (!(largest > space.l1)) return 1;
    const double fits = space.l1 / largest * (1 - 4e-16);
    if (space.l2 == 0) {
      const Vec& norms = rows.column_norms(tick);
      return std::max(0.0, fits - rounding::of(8) * norms.maxCoeff() / largest);
    }
    const Loss phi = loss();
    const auto lost = [&](double theta) {
      Vec moved(classes);
      const double conjugates = rows.sum([&](Index i) {
        moved = theta * u[i];
        moved[y[i]] += 1 - theta;
        return rows.share(i) * phi.conjugate(moved.data(), y[i]);
      });
      return conjugates +
             over_classes(v, [&](const Vec& of) { return space.conjugate(-theta * of); });
    };
    return lost(fits) < lost(1) ? fits : 1;
  }
  void scale_dual(RowMat& u, double theta) const {
    if (theta == 1) return;
    for (Index i = 0; i < u.size(); ++i) {
      u[i] *= theta;
      u(i, y[i]) += 1 - theta;
    }
  }
  template <class Of>
  static double over_classes(const Mat& m, Of of) {
    return sum_over(m.cols(), [&](Index c) { return of(m.col(c)); });
  }
  double penalty(const Mat& w) const {
    return over_classes(w, [&](const Vec& of) { return space.value(of); });
  }
  // The share of the penalty in the gap.
  double penalty_gap(const Mat& w, const Mat& v) const {
    return sum_over(classes, [&](Index c) { return space.gap(w.col(c), v.col(c)); });
  }

  // From the definitions, at a feasible u.
  Certificate certify(const RowMat& z, const JointSolution& s, Tick& tick) const {
    const Loss phi = loss();
    const auto [losses, gaps, size] = rows.sum([&](Index i) {
      const double* zi = z.at(i);
      const double share = rows.share(i), value = phi.value(zi, y[i]);
      double largest = 0;
      for (Index c = 0; c < classes; ++c) largest = std::max(largest, std::abs(zi[c]));
      return std::array<double, 3>{share * value, share * phi.fenchel_gap(zi, s.u.at(i), y[i]),
                                   share * (value + phi.at_zero() + 2 * largest)};
    });
    const RowMat q = shares(s.u);
    const Pull p = pull(q, tick);
    const double value = losses + penalty(s.w), gap = gaps + penalty_gap(s.w, p.v);
    return told(s, Certificate(value, gap, rounding_of(size, value, s, q, p, tick)));
  }
  Certificate told(const JointSolution& s, const Certificate& c) const {
    if (seen != nullptr) seen->offer(s, s, c);
    return c;
  }
  Certificate certify(JointSolution& s, Tick& tick) const {
    balance(s.u);
    if (space.l1 > 0) scale_dual(s.u, dual_scale(s.u, pull(shares(s.u), tick).v, tick));
    return certify(scores(s.w, s.b, tick), s, tick);
  }

 private:
  // How far value - gap, as computed, can be above D of the exactly feasible point next to the one
  // that was stored; as in problem.h, class by class. That point is (1 - theta) u + theta p with
  // constant p, theta at most the largest relative error of a class's mass. D is concave in it and
  // its losses' part is not above log k or 1, so it loses at most theta (log k + 1 + sum_c mean
  // |z_c|) and the square of its own v, which is below 2 (mean |x|)^2. A v that an l1 part lets
  // rounding take out of |v| <= l1 comes back for that share of the size of D, see problem.h.
  double rounding_of(double size, double value, const JointSolution& s, const RowMat& q,
                     const Pull& pull, Tick& tick) const {
    const Vec& norm = rows.column_norms(tick);
    const Vec share = class_shares();
    const Vec squares = squared_slopes(q);
    const Vec sizes = sums(rows, classes, [&](Index i, Index c) { return std::abs(q(i, c)); });
    double sum = Certificate::rounding_of(value) + rounding::of_term() * size, reach = 0, theta = 0;
    double bend = space.l2 > 0 ? 0 : HUGE_VAL, outside = 0;
    for (Index c = 0; c < classes; ++c) {
      const double a_rms = std::sqrt(squares[c]), adding = dual_rounding(a_rms);
      double own = 0;
      for (Index j = 0; j < dim(); ++j) {
        const double d = adding * norm[j], w = s.w(j, c), v = pull.v(j, c);
        own += norm[j] * std::abs(w);
        sum += rounding::of_term() * (space.value(w) + space.conjugate(-v) + std::abs(v * w));
        if (space.l2 > 0) bend += d * (std::abs(space.grad_conjugate(-v) - w) + d / space.l2);
        if (space.l1 > 0) outside = std::max(outside, d / space.l1);
      }
      sum += rounding::of_score(rows.longest_row()) * a_rms * own;
      reach += own;
      if (!free_intercept) continue;
      const double drift = std::abs(pull.drift[c]) + rows.sum_rounding() * sizes[c];
      theta = std::max(theta, drift / share[c]);
      reach += std::abs(s.b[c]);
    }
    const double spread = theta * norm.norm();
    if (space.l2 > 0) bend += 2 * spread * spread / space.l2;
    if (space.l1 > 0) {
      const double most = norm.size() > 0 ? norm.maxCoeff() : 0.0;
      bend = std::min(bend, (outside + 2 * theta * most / space.l1) * (size + std::abs(value)));
    }
    return sum + theta * (loss().at_zero() + 1 + reach) + bend;
  }
  // (1/W) sum omega_i a_ic^2 of omega_i a_i / W
  Vec squared_slopes(const RowMat& q) const {
    return sums(rows, classes, [&](Index i, Index c) {
      const double own = rows.share(i);
      return own > 0 ? q(i, c) * q(i, c) / own : 0.0;
    });
  }
  // Of a coordinate of v, in units of the norm of its column.
  double dual_rounding(double a_rms) const { return rounding::of(rows.additions() + 8) * a_rms; }
};

// a of u, a column for each class.
inline Mat dual_of(const RowMat& u, const std::vector<Index>& y) {
  Mat a = u.local().transpose();
  for (Index i = 0; i < a.rows(); ++i) a(i, y[i]) -= 1;
  return a;
}

// The returned point with its certificate recomputed from the definitions.
template <class Problem>
JointReport report(const Problem& problem, JointSolution s, Run& run) {
  JointReport r;
  const Certificate c = certify_or_nothing(problem, s, run);
  const RowMat z = problem.scores(s.w, s.b, run);
  const RowVec& norms = problem.rows.squared_norms();
  const double largest =
      problem.rows.max([&](Index i) { return problem.rows.weights[i] > 0 ? norms[i] : 0.0; });
  const double strength = problem.space.l1 + problem.space.l2;
  const double floor = c.value > 0 ? 4e-32 * largest / (2 * strength * c.value) : 0.0;
  static_cast<Outcome&>(r) = Outcome(c, s.w.allFinite() && s.b.allFinite(), floor, run);
  r.scores = z.local().transpose();
  r.dual = dual_of(s.u, problem.y);
  r.solution = std::move(s);
  return r;
}

// The lambda at which a path starts: as PathScale of path_scale.h.
template <class Problem>
double first_joint_lambda(const Problem& problem, double mixture, Tick& tick) {
  if (mixture > 0) {
    const JointSolution null = problem.null_model();
    const Mat v = problem.pull(problem.shares(null.u), tick).v;
    const double most = v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0;
    return std::max(most, 1e-10 * std::sqrt(problem.null_value())) / mixture;
  }
  const RowVec& squares = problem.rows.squared_norms();
  const double mean = problem.rows.sum([&](Index i) { return problem.rows.share(i) * squares[i]; });
  return mean > 0 ? mean / Problem::Loss::gamma : 1.0;
}

}  // namespace dualmargin::linear
