// The losses of multinomial logistic regression with soft labels, t_i the shares of row i in the
// classes: with a function for each class, kernel_problem.h becomes
//
//   P(f) = \frac\lambda2 \sum_c |f_c|_H^2
//          + \frac1W \sum_i \omega_i \Big[ \log \sum_c e^{z_{ic}} - \sum_c t_{ic} z_{ic} \Big]
//   D(a) = -\frac1W \sum_i \omega_i \sum_c u_{ic} \log u_{ic} - \frac\lambda2 \sum_c |f_{a,c}|_H^2
//
// with z_{ic} = f_c(x_i) + b_c and u_i = a_i + t_i on the simplex; where the intercepts b are free
// \sum_i \omega_i a_i = 0, so that the u_i have the mean of the t_i, the shares of the classes. Dual
// variables are kept as u, which loses no digits where it is small. At f = f_a the gap is the losses'
// part alone,
//
//   P - D = \frac1W \sum_i \omega_i \sum_c u_{ic} \log \frac{u_{ic}}{p_{ic}},
//   p_{ic} = e^{z_{ic}} / \sum_l e^{z_{il}},
//
// a mean of non-negative terms. Penalised intercepts are the constant of k + 1. Since every a_i
// sums to zero so do the functions, and the intercepts may; for two classes f_2 = -f_1 = g / 2: the
// problem of the binary logistic loss in g, at half the lambda.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "base/numeric.h"
#include "loss/loss.h"
#include "loss/softmax.h"

namespace dualmargin::kernel {

// Intercepts beside functions: a number beside one, of several functions a number each. An Array, of
// scores or dual variables, has a column for each function.
template <class Array>
using Intercept = std::conditional_t<std::is_same_v<Array, Vec>, double, Vec>;

// Scores with them.
Vec raised(const Vec& f, double b);
Mat raised(const Mat& f, const Vec& b);

// The same for what has one column after the other, as a Vec.
Vec raised_columns(const Vec& f, const Vec& b);

// As a Vec, and back.
inline Vec listed(double b) { return Vec::Constant(1, b); }
inline Vec listed(const Vec& b) { return b; }
template <class Array>
Intercept<Array> unlisted(const Vec& b) {
  if constexpr (std::is_same_v<Array, Vec>) {
    return b[0];
  } else {
    return b;
  }
}

class SoftmaxLosses {
 public:
  using Array = Mat;  // a column for each class

  const Mat& share;  // t
  const RowVec& omega;
  const double total_weight;
  const bool free_intercept;

  // total: the sum of the weights
  SoftmaxLosses(const Mat& share_, const RowVec& omega_, double total, bool free);

  Index n() const { return share.rows(); }
  Index classes() const { return share.cols(); }
  double gamma() const { return Softmax::gamma; }
  // At f = 0 and the best b.
  double null_value() const;
  // Those that sum to zero. b: where it begins, or nothing
  Vec best_intercept(const Mat& f, Vec b) const;

  // phi* of one entry, and the dual variables that pull at nothing.
  static double conjugate(Index, double u) { return u > 0 ? u * std::log(u) : 0.0; }
  static DualPiece dual_piece(Index, double u) {
    const double v = std::max(u, 1e-300);
    return {0, 1, std::log(v), 1 / v};
  }
  const Mat& rest() const { return share; }
  // The exact step of a row in all of its dual variables.
  template <class Row>
  Row dual_step(Index, const Row& z, Row u, double q) const {
    step_(z.data(), q, u.data());
    return u;
  }

  // Rows back on the simplex to the last digit, which steps of a subspace leave by some roundings;
  // beside free intercepts with the mean that makes them feasible.
  void balance(Mat& u) const;

  // The probabilities: the dual variables that belong to scores.
  Mat slopes(Mat z) const;
  // As in kernel_problem.h.
  std::array<double, 2> along(const Mat& z, const Mat& dz) const;

  FenchelSums fenchel(const Mat& z, const Mat& u, double) const;
  // What D of the exactly balanced point next to the one that was stored may be below it, that is
  // (1 - theta) u + theta p with a p that is the same for all rows: theta is `slopes`. D is concave
  // in it; its losses' part is between -log k and 0, the scores' part moves by no more than
  // 2 theta mean max_c |f_ic|, the square by theta^2 / lambda mean k(x_i, x_i), which is `reach`. And
  // what is missing times b, which is part of the gap.
  double unbalanced(const FenchelSums& sums, const Vec& b, double reach) const;

 private:
  // (1/W) sum omega_i u_i
  Vec mean_of(const Mat& u) const;
  // (1/W) sum omega_i (diag(p_i) - p_i p_i')
  Mat bend_of(const Mat& p) const;

  Vec class_share_;
  mutable SoftmaxStep step_;
};

}  // namespace dualmargin::kernel
