// The losses of all rows that have k scores each, as row_losses.h has those of one: weighted means
// over W = sum_i omega_i and free intercepts, one for each class. Dual variables a_i are kept as
// u_i = a_i + e_{y_i} on the simplex (multiclass.h), also where they are an argument `a`; beside free
// intercepts sum_i omega_i a_i = 0.
#pragma once

#include <vector>

#include "loss/class_intercepts.h"
#include "loss/loss.h"
#include "loss/multiclass.h"
#include "rows/row_mat.h"

namespace dualmargin {

class ClassLosses {
 public:
  using Array = RowMat;

  const std::vector<Index>& y;  // classes, from 0
  const ClassLossPtr held;
  ClassLoss& loss;
  const RowVec& omega;
  const bool free_intercept;

 private:
  RowSums over_;

 public:
  const double total_weight;
  const Vec shares;  // of the classes in W

  ClassLosses(ClassLossPtr loss_, const std::vector<Index>& y_, const RowVec& omega_, bool free,
              Team& team, double total);

  Index n() const { return over_.n(); }
  Index classes() const { return loss.classes; }
  bool smooth() const { return loss.smooth; }
  double gamma() const { return loss.gamma; }
  double share(Index i) const { return omega[i] / total_weight; }

  // At w = 0 and, for the softmax loss, the best b.
  double null_value() const;
  Vec null_intercept() const;

  double value(const RowMat& z) const;
  FenchelSums fenchel(const RowMat& z, const RowMat& a, double) const;
  // (1/W) sum omega phi*(theta a) and its derivative in theta; the softmax loss
  std::array<double, 2> conjugate(const RowMat& a, double theta) const;

  // Scores without weights.
  RowMat constant(const Vec& b) const { return RowMat(Mat(b.replicate(1, n()))); }
  // The dual variables that pull at nothing, and omega_i a_i / W.
  RowMat rest() const;
  RowMat weighted(RowMat a) const;
  // Every multiple theta in [0, 1] of a feasible point is feasible.
  void scale(RowMat& a, double theta) const;
  // For free intercepts, (1 - theta) u + theta p with the p, the same for all rows, that makes
  // sum_i omega_i a_i zero: of every u a feasible point, with the theta that is as small as p >= 0
  // allows.
  void balance(RowMat& a) const;
  // (1/W) sum omega a, and that of a^2, class by class; the largest share of the mass of a class that
  // it is off by, rounding included
  Vec drift(const RowMat& a) const;
  double drift_share(const RowMat& a) const;
  Vec squared_slopes(const RowMat& a) const;

  // The probabilities of (z_c + m [c != y]) / mu, m the margin of the loss: the slopes of a loss that
  // is smooth, and of another's smoothing by an entropy (joint_newton.cpp).
  RowMat slopes(RowMat z, double mu = 1) const;
  // The best b for scores z without it, where it begins at b; the softmax loss. a: the slopes there
  Vec slopes_at_best(const RowMat& z, Vec b, RowMat& a) const;
  // Slope and curvature of the losses at z + t dz, smoothed by mu. p, of the size of z or empty:
  // becomes the probabilities there.
  std::array<double, 2> along(const RowMat& z, const RowMat& dz, double t, double mu,
                              RowMat& p) const;
  std::array<double, 2> along(const RowMat& z, const RowMat& dz, double t, double mu) const {
    RowMat none;
    return along(z, dz, t, mu, none);
  }
  // The mean of omega_i / W p_i.
  Vec mean(const RowMat& p) const;
  // The mean of omega_i / W (diag(p_i) - p_i p_i').
  Mat bend(const RowMat& p) const;
};

// a of u, a column for each class.
Mat dual_of(const RowMat& u, const std::vector<Index>& y);

}  // namespace dualmargin
