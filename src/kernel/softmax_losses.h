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

#include <array>
#include <vector>

#include "base/rounding.h"
#include "kernel/intercepts.h"
#include "loss/any_loss.h"
#include "loss/class_intercepts.h"
#include "loss/softmax.h"

namespace dualmargin::kernel {

class SoftmaxLosses {
 public:
  using Array = Mat;  // a column for each class

  const Mat& share;  // t
  const RowVec& omega;
  const double total_weight;
  const bool free_intercept;

  // total: the sum of the weights
  SoftmaxLosses(const Mat& share_, const RowVec& omega_, double total, bool free)
      : share(share_),
        omega(omega_),
        total_weight(total),
        free_intercept(free),
        class_share_(mean_of(share_)),
        step_(share_.cols()) {}

  Index n() const { return share.rows(); }
  Index classes() const { return share.cols(); }
  double gamma() const { return Softmax::gamma; }
  // At f = 0 and the best b.
  double null_value() const {
    if (!free_intercept) return std::log(static_cast<double>(classes()));
    return sum_over(classes(), [&](Index c) { return -conjugate(c, class_share_[c]); });
  }
  // Those that sum to zero. b: where it begins, or nothing
  Vec best_intercept(const Mat& f, Vec b) const {
    if (!free_intercept) return Vec::Zero(classes());
    if (b.size() != classes()) b = class_share_.array().log();
    Mat u = slopes(raised(f, b));
    best_class_intercepts(
        class_share_, b, u, [&](const Vec& to) { return slopes(raised(f, to)); },
        [&](const Mat& p) { return mean_of(p); }, [&](const Mat& p) { return bend_of(p); });
    b.array() -= b.mean();
    return b;
  }

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
  void balance(Mat& u) const {
    on_simplex(u);
    if (!free_intercept) return;
    const ClassBalance made = balance_of(mean_of(u), class_share_);
    if (!(made.theta > 0)) return;
    u *= 1 - made.theta;
    u.rowwise() += (made.theta * made.point).transpose();
  }

  // The probabilities: the dual variables that belong to scores.
  Mat slopes(Mat z) const {
    z.array().colwise() -= z.rowwise().maxCoeff().eval().array();
    z = z.array().exp();
    on_simplex(z);
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
    const double uniform = std::log(static_cast<double>(classes()));
    FenchelSums sums;
    Sum value, gap;
    std::vector<Sum> drift(classes());
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
      const double largest = zi.cwiseAbs().maxCoeff();
      sums.score_size += share_of * largest;
      sums.size += share_of * (loss + uniform + 2 * largest);
      for (Index c = 0; c < classes(); ++c) drift[c].add(share_of * (ui[c] - ti[c]));
    }
    sums.value = value.value();
    sums.gap = gap.value();
    for (Index c = 0; c < classes(); ++c) {
      const double of_sum = rounding::of_value() * 2 * class_share_[c];
      sums.slopes = std::max(sums.slopes, (std::abs(drift[c].value()) + of_sum) / class_share_[c]);
    }
    return sums;
  }
  // What D of the exactly balanced point next to the one that was stored may be below it, that is
  // (1 - theta) u + theta p with a p that is the same for all rows: theta is `slopes`. D is concave
  // in it; its losses' part is between -log k and 0, the scores' part moves by no more than
  // 2 theta mean max_c |f_ic|, the square by theta^2 / lambda mean k(x_i, x_i), which is `reach`. And
  // what is missing times b, which is part of the gap.
  double unbalanced(const FenchelSums& sums, const Vec& b, double reach) const {
    if (!free_intercept) return 0;
    const double theta = sums.slopes, largest = b.cwiseAbs().maxCoeff();
    return theta * (std::log(static_cast<double>(classes())) + 2 * sums.score_size + 3 * largest) +
           2 * theta * theta * reach;
  }

 private:
  static void on_simplex(Mat& u) { u.array().colwise() /= u.rowwise().sum().eval().array(); }
  // (1/W) sum omega_i u_i
  Vec mean_of(const Mat& u) const {
    Vec mean(u.cols());
    for (Index c = 0; c < u.cols(); ++c) {
      mean[c] = accurate_sum(u.rows(), [&](Index i) { return omega[i] * u(i, c); }) / total_weight;
    }
    return mean;
  }
  // (1/W) sum omega_i (diag(p_i) - p_i p_i')
  Mat bend_of(const Mat& p) const {
    const Vec share_of = omega.local() / total_weight;
    Mat bend = -(p.transpose() * share_of.asDiagonal() * p);
    bend.diagonal() += p.transpose() * share_of;
    return bend;
  }

  Vec class_share_;
  mutable SoftmaxStep step_;
};

}  // namespace dualmargin::kernel
