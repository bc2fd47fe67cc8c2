// The multinomial logistic loss of k scores z and the shares t of the classes, t on the simplex:
//
//   \phi(z; t) = \log \sum_c e^{z_c} - \sum_c t_c z_c,   \phi^*(a; t) = \sum_c u_c \log u_c
//
// with u = a + t on the simplex. Dual variables are kept as u, which loses no digits where it is
// small. It is 1/2-smooth in the steepest direction.
#pragma once

#include <vector>

#include "base/numeric.h"

namespace dualmargin {

struct Softmax {
  static constexpr double gamma = 2;

  // log sum_c e^{z_c}
  static double log_sum_exp(const double* z, Index k);

  // With the largest score split off every term is non-negative.
  static double value(const double* z, const double* t, Index k);

  // phi(z) + phi*(a) - a'z, the divergence sum_c u_c log(u_c / p_c) - u_c + p_c of u from the
  // probabilities p of z, every term non-negative.
  static double fenchel_gap(const double* z, const double* u, Index k);
};

// The exact proximal step, argmax_v  v'z - sum_c v_c log v_c - q/2 |v - u|^2 on the simplex. With
// w = z + q u its maximiser satisfies log v_c + q v_c = w_c - mu, so that v_c is a Wright omega of
// mu and sum_c v_c = 1 one equation in mu, decreasing and convex: Newton's method, in the bracket
// that 1/k <= v_c <= 1 of the largest entry gives.
class SoftmaxStep {
 public:
  explicit SoftmaxStep(Index k) : w_(k) {}

  // u becomes the maximiser.
  void operator()(const double* z, double q, double* u);

 private:
  std::vector<double> w_;
};

}  // namespace dualmargin
