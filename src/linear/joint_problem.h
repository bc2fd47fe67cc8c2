// All classes in one problem: a weight vector for each of k classes, and a loss of their k scores.
//
//   P(w, b) = \frac1W \sum_i \omega_i \phi(z_i; y_i) + \frac\lambda2 \sum_c |w_c|^2,
//             z_{ic} = w_c^\top x_i + b_c
//   D(u)    = -\frac1W \sum_i \omega_i \phi^*(a_i; y_i) - \frac{1}{2\lambda} \sum_c |v_c|^2
//   v_c     = \frac1W \sum_i \omega_i a_{ic} x_i,    a_i = u_i - e_{y_i}
//
// with every u_i on the simplex, and \sum_i \omega_i a_i = 0 where the intercepts are free (loss/
// multiclass.h has the losses). The gap of a pair is the sum
//
//   \frac1W \sum_i \omega_i [\phi(z_i) + \phi^*(a_i) - a_i^\top z_i]
//     + \frac{1}{2\lambda} \sum_c |\lambda w_c + v_c|^2
//
// of terms that are non-negative one by one. Since \sum_c a_{ic} = 0, so is \sum_c v_c: adding one
// vector to all w_c changes no loss, and the optimum has \sum_c w_c = 0.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "base/rounding.h"
#include "linear/joint_solution.h"
#include "loss/multiclass.h"
#include "rows/rows.h"
#include "run/nothing.h"

namespace dualmargin::linear {

template <class D, class L>
struct JointProblem {
  using Data = D;
  using Loss = L;

  Rows<Data> rows;
  const std::vector<Index>& y;  // classes, from 0
  Index classes;
  double lambda;
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
    s.w.colwise() -= s.w.rowwise().mean().eval();
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
    const Balance made = balance_of(mass, class_shares());
    if (!(made.theta > 0)) return;
    const Vec constant = made.theta * made.point;
    for (Index i = 0; i < n(); ++i) u[i] = (1 - made.theta) * u[i] + constant;
  }
  // theta and p of u with these sums of omega_i u_i / W; theta 0: balanced to the last digit
  struct Balance {
    double theta;
    Vec point;
  };
  Balance balance_of(const Vec& mass, const Vec& target) const {
    double theta = 0;
    for (Index c = 0; c < classes; ++c) {
      if (mass[c] > target[c]) theta = std::max(theta, 1 - target[c] / mass[c]);
    }
    const Vec added = (target - (1 - theta) * mass).cwiseMax(0);
    const double total = added.sum();
    if (!(theta > 0 && total > 0)) return {0, added};
    return {theta, added / total};
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
    const double value = losses + 0.5 * lambda * s.w.squaredNorm();
    const double gap = gaps + (lambda * s.w + p.v).squaredNorm() / (2 * lambda);
    return told(s, Certificate(value, gap, rounding_of(size, value, s, q, p, tick)));
  }
  Certificate told(const JointSolution& s, const Certificate& c) const {
    if (seen != nullptr) seen->offer(s, s, c);
    return c;
  }
  Certificate certify(JointSolution& s, Tick& tick) const {
    balance(s.u);
    return certify(scores(s.w, s.b, tick), s, tick);
  }

 private:
  // How far value - gap, as computed, can be above D of the exactly feasible point next to the one
  // that was stored; as in problem.h, class by class. That point is (1 - theta) u + theta p with
  // constant p, theta at most the largest relative error of a class's mass. D is concave in it and
  // its losses' part is not above log k or 1, so it loses at most theta (log k + 1 + sum_c mean
  // |z_c|) and the square of its own v, which is below 2 (mean |x|)^2.
  double rounding_of(double size, double value, const JointSolution& s, const RowMat& q,
                     const Pull& pull, Tick& tick) const {
    const Vec& norm = rows.column_norms(tick);
    const Vec share = class_shares();
    const Vec squares = sums(rows, classes, [&](Index i, Index c) {
      const double own = rows.share(i);
      return own > 0 ? q(i, c) * q(i, c) / own : 0.0;
    });
    const Vec sizes = sums(rows, classes, [&](Index i, Index c) { return std::abs(q(i, c)); });
    double sum = Certificate::rounding_of(value) + rounding::of_term() * size, reach = 0, theta = 0;
    for (Index c = 0; c < classes; ++c) {
      const double a_rms = std::sqrt(squares[c]),
                   adding = rounding::of(rows.additions() + 8) * a_rms;
      double own = 0;
      for (Index j = 0; j < dim(); ++j) {
        const double d = adding * norm[j], w = s.w(j, c), v = pull.v(j, c);
        own += norm[j] * std::abs(w);
        sum += d * (std::abs(v / lambda + w) + d / lambda) +
               rounding::of_term() * (lambda * w * w + v * v / lambda);
      }
      sum += rounding::of_score(rows.longest_row()) * a_rms * own;
      reach += own;
      if (!free_intercept) continue;
      const double drift = std::abs(pull.drift[c]) + rows.sum_rounding() * sizes[c];
      theta = std::max(theta, drift / share[c]);
      reach += std::abs(s.b[c]);
    }
    const double spread = theta * norm.norm();
    return sum + theta * (loss().at_zero() + 1 + reach) + 2 * spread * spread / lambda;
  }
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
  const double floor = c.value > 0 ? 4e-32 * largest / (2 * problem.lambda * c.value) : 0.0;
  static_cast<Outcome&>(r) = Outcome(c, s.w.allFinite() && s.b.allFinite(), floor, run);
  r.scores = z.local().transpose();
  r.dual = dual_of(s.u, problem.y);
  r.solution = std::move(s);
  return r;
}

// The lambda at which a path over ridge penalties starts: as PathScale of path_scale.h.
template <class Problem>
double first_joint_lambda(const Problem& problem) {
  const RowVec& squares = problem.rows.squared_norms();
  const double mean = problem.rows.sum([&](Index i) { return problem.rows.share(i) * squares[i]; });
  return mean > 0 ? mean / Problem::Loss::gamma : 1.0;
}

}  // namespace dualmargin::linear
