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
#include <vector>

#include "linear/solution.h"
#include "loss/elastic_net.h"
#include "loss/multiclass.h"
#include "rows/rows.h"

namespace dualmargin::linear {

struct JointProblem {
  Rows rows;
  const std::vector<Index>& y;  // classes, from 0
  ClassLossPtr held;
  ElasticNet space;  // of each class; of Crammer and Singer's loss a ridge
  bool free_intercept;
  JointSeen* seen = nullptr;  // is told of every pair that is certified
  ClassLoss& loss = *held;
  Index classes = loss.classes;

  Index n() const { return rows.n(); }
  Index dim() const { return rows.dim(); }

  // P at w = 0 and, for the softmax loss, the best b.
  double null_value() const;
  Vec class_shares() const;

  // Where a method begins: no weights, free intercepts at the logarithms of the class shares. A
  // start loses what all of its weight vectors have in common.
  JointSolution begin(const JointSolution& start, const char* solver) const;
  // The optimum where no column is in use.
  JointSolution null_model() const;

  // See run/outcome.h.
  JointSolution with_nothing(JointSolution s, bool primal, bool dual) const;
  // The dual point a = 0.
  RowMat no_pull() const;

  // Of the softmax loss, where it is smooth: slopes are u - e_y.
  static RowMat probabilities(RowMat z);

  RowMat scores(const Mat& w, const Vec& b, Tick& tick) const;
  // sum_i q_ic x_i for every class, and sum_i q_ic where the intercepts are free
  struct Pull {
    Mat v;
    Vec drift;
  };
  Pull pull(const RowMat& q, Tick& tick) const;
  // omega_i a_i / W
  RowMat shares(const RowMat& u) const;

  // For free intercepts, (1 - theta) u + theta p with the p, the same for all rows, that makes
  // sum_i omega_i a_i zero: of every u a feasible point, with the theta that is as small as p >= 0
  // allows.
  void balance(RowMat& u) const;

  // The multiple of a, of an l1 part: 1 or, where that brings a larger bound or is the only one that
  // is feasible, the largest with |v| <= l1, with room for the rounding of v and for that of the
  // point: an entry of u beside a label is stored next to one, so that scaling leaves errors of an
  // eps in a, however small a is.
  double dual_scale(const RowMat& u, const Mat& v, Tick& tick) const;
  void scale_dual(RowMat& u, double theta) const;
  double penalty(const Mat& w) const;
  // The share of the penalty in the gap.
  double penalty_gap(const Mat& w, const Mat& v) const;

  // Slope and curvature of the losses at z + t dz, smoothed by mu (joint_newton.cpp).
  std::array<double, 2> losses_along(const RowMat& z, const RowMat& dz, double t, double mu) const;

  // From the definitions, at a feasible u.
  Certificate certify(const RowMat& z, const JointSolution& s, Tick& tick) const;
  Certificate told(const JointSolution& s, const Certificate& c) const;
  Certificate certify(JointSolution& s, Tick& tick) const;

 private:
  // How far value - gap, as computed, can be above D of the exactly feasible point next to the one
  // that was stored; as in problem.h, class by class. That point is (1 - theta) u + theta p with
  // constant p, theta at most the largest relative error of a class's mass. D is concave in it and
  // its losses' part is not above log k or 1, so it loses at most theta (log k + 1 + sum_c mean
  // |z_c|) and the square of its own v, which is below 2 (mean |x|)^2. A v that an l1 part lets
  // rounding take out of |v| <= l1 comes back for that share of the size of D, see problem.h.
  double rounding_of(double size, double value, const JointSolution& s, const RowMat& q,
                     const Pull& pull, Tick& tick) const;
  // (1/W) sum omega_i a_ic^2 of omega_i a_i / W
  Vec squared_slopes(const RowMat& q) const;
  // Of a coordinate of v, in units of the norm of its column.
  double dual_rounding(double a_rms) const { return rounding::of(rows.additions() + 8) * a_rms; }
};

// The better primal and the better dual point of two solutions: any pair makes a certificate.
JointSolution best_of(const JointProblem& problem, JointSolution s, JointSolution later,
                      Tick& tick);

// What a method leaves: its last pair where that is certified or asked for, else the best points.
JointSolution best_of(const JointProblem& problem, const JointBest& best, JointSolution last,
                      Run& run);

// a of u, a column for each class.
Mat dual_of(const RowMat& u, const std::vector<Index>& y);

// The returned point with its certificate recomputed from the definitions.
JointReport report(const JointProblem& problem, JointSolution s, Run& run);

// The lambda at which a path starts: as PathScale of path_scale.h.
double first_joint_lambda(const JointProblem& problem, double mixture, Tick& tick);

}  // namespace dualmargin::linear
