// The losses of multinomial logistic regression with soft labels, t_i the shares of row i in the
// classes: with a function for each class, kernel_problem.h becomes
//
//   P(f) = \frac\lambda2 \sum_c |f_c|_H^2
//          + \frac1W \sum_i \omega_i \Big[ \log \sum_c e^{z_{ic}} - \sum_c t_{ic} z_{ic} \Big]
//   D(a) = -\frac1W \sum_i \omega_i \sum_c u_{ic} \log u_{ic} - \frac\lambda2 \sum_c |f_{a,c}|_H^2
//
// with z_{ic} = f_c(x_i) and u_i = a_i + t_i on the simplex. Dual variables are kept as u, which
// loses no digits where it is small. At f = f_a the gap is the losses' part alone,
//
//   P - D = \frac1W \sum_i \omega_i \sum_c u_{ic} \log \frac{u_{ic}}{p_{ic}},
//   p_{ic} = e^{z_{ic}} / \sum_l e^{z_{il}},
//
// a mean of non-negative terms. Intercepts are penalised, the constant of k + 1. Since every a_i
// sums to zero so do the functions, and for two classes f_2 = -f_1 = g / 2: the problem of the
// binary logistic loss in g, at half the lambda.
#pragma once

#include <array>

#include "loss/any_loss.h"
#include "loss/softmax.h"

namespace dualmargin::kernel {

class SoftmaxLosses {
 public:
  using Array = Mat;  // a column for each class
  static constexpr bool free_intercept = false;

  const Mat& share;  // t
  const RowVec& omega;
  const double total_weight;

  // total: the sum of the weights
  SoftmaxLosses(const Mat& share_, const RowVec& omega_, double total)
      : share(share_), omega(omega_), total_weight(total), step_(share_.cols()) {}

  Index n() const { return share.rows(); }
  Index classes() const { return share.cols(); }
  double null_value() const { return std::log(static_cast<double>(classes())); }
  double gamma() const { return Softmax::gamma; }
  double best_intercept(const Mat&, double) const { return 0; }

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

  // Rows back on the simplex to the last digit: steps of a subspace leave it by some roundings.
  void balance(Mat& u) const { u.array().colwise() /= u.rowwise().sum().eval().array(); }

  // The probabilities: the dual variables that belong to scores.
  Mat slopes(Mat z) const {
    z.array().colwise() -= z.rowwise().maxCoeff().eval().array();
    z = z.array().exp();
    balance(z);
    return z;
  }
  // As in kernel_problem.h.
  std::array<double, 2> along(const Mat& z, const Mat& dz) const {
    const Mat p = slopes(z), each = p.cwiseProduct(dz);
    const Vec mean = each.rowwise().sum(), pull = mean - share.cwiseProduct(dz).rowwise().sum();
    const Vec bend = each.cwiseProduct(dz).rowwise().sum() - mean.cwiseAbs2();
    return {omega.local().dot(pull) / total_weight, omega.local().dot(bend) / total_weight};
  }

  FenchelSums fenchel(const Mat& z, const Mat& u, double) const {
    FenchelSums sums;
    Sum value, gap;
    Vec zi(classes()), ti(classes()), ui(classes());
    for (Index i = 0; i < n(); ++i) {
      if (!(omega[i] > 0)) continue;
      zi = z.row(i);
      ti = share.row(i);
      ui = u.row(i);
      const double share_of = omega[i] / total_weight;
      const double loss = Softmax::value(zi.data(), ti.data(), classes());
      value.add(share_of * loss);
      gap.add(share_of * Softmax::fenchel_gap(zi.data(), ui.data(), classes()));
      sums.size += share_of * (loss + null_value() + 2 * zi.cwiseAbs().maxCoeff());
    }
    sums.value = value.value();
    sums.gap = gap.value();
    return sums;
  }

 private:
  mutable SoftmaxStep step_;
};

}  // namespace dualmargin::kernel
