// The multinomial logistic loss of k scores z and the shares t of the classes, t on the simplex:
//
//   \phi(z; t) = \log \sum_c e^{z_c} - \sum_c t_c z_c,   \phi^*(a; t) = \sum_c u_c \log u_c
//
// with u = a + t on the simplex. Dual variables are kept as u, which loses no digits where it is
// small. It is 1/2-smooth in the steepest direction.
#pragma once

#include <algorithm>
#include <vector>

#include "base/numeric.h"
#include "base/wright_omega.h"

namespace dualmargin {

struct Softmax {
  static constexpr double gamma = 2;

  // log sum_c e^{z_c}
  static double log_sum_exp(const double* z, Index k) {
    const double top = *std::max_element(z, z + k);
    double sum = 0;
    for (Index c = 0; c < k; ++c) sum += std::exp(z[c] - top);
    return top + std::log(sum);
  }

  // With the largest score split off every term is non-negative.
  static double value(const double* z, const double* t, Index k) {
    const double* top = std::max_element(z, z + k);
    double rest = 0, below = 0;
    for (Index c = 0; c < k; ++c) {
      if (z + c != top) rest += std::exp(z[c] - *top);
      below += t[c] * (*top - z[c]);
    }
    return std::log1p(rest) + below;
  }

  // phi(z) + phi*(a) - a'z, the divergence sum_c u_c log(u_c / p_c) - u_c + p_c of u from the
  // probabilities p of z, every term non-negative.
  static double fenchel_gap(const double* z, const double* u, Index k) {
    const double total = log_sum_exp(z, k);
    double sum = 0;
    for (Index c = 0; c < k; ++c) {
      const double log_p = z[c] - total;
      if (!(u[c] > 0)) {
        sum += std::exp(log_p);
        continue;
      }
      const double d = std::log(u[c]) - log_p;
      sum += d > -1 ? u[c] * (d + std::expm1(-d)) : u[c] * (d - 1) + std::exp(log_p);
    }
    return sum;
  }
};

// The exact proximal step, argmax_v  v'z - sum_c v_c log v_c - q/2 |v - u|^2 on the simplex. With
// w = z + q u its maximiser satisfies log v_c + q v_c = w_c - mu, so that v_c is a Wright omega of
// mu and sum_c v_c = 1 one equation in mu, decreasing and convex: Newton's method, in the bracket
// that 1/k <= v_c <= 1 of the largest entry gives.
class SoftmaxStep {
 public:
  explicit SoftmaxStep(Index k) : w_(k) {}

  // u becomes the maximiser.
  void operator()(const double* z, double q, double* u) {
    constexpr double rounding = 4e-16;
    const Index k = static_cast<Index>(w_.size());
    for (Index c = 0; c < k; ++c) w_[c] = z[c] + q * u[c];
    const Index largest = std::max_element(w_.begin(), w_.end()) - w_.begin();
    const double top = w_[largest];
    for (double& w : w_) w -= top;
    if (q < 1e-20) return normalise(u, [&](Index c) { return std::exp(w_[c]); });
    const double log_q = std::log(q), own = u[largest];
    double low = -q, high = std::log(static_cast<double>(k)) - q / static_cast<double>(k);
    double mu = own > 0 ? std::clamp(-std::log(own) - q * own, low, high) : low;
    for (int iteration = 0; iteration < 100; ++iteration) {
      double excess = -1, fall = 0;
      for (Index c = 0; c < k; ++c) {
        const double y = wright_omega(w_[c] - mu + log_q);
        excess += y / q;
        fall += y / (q * (1 + y));
      }
      if (std::abs(excess) <= rounding) break;
      (excess > 0 ? low : high) = mu;
      double next = mu + excess / fall;
      if (!(next >= low && next <= high)) next = 0.5 * (low + high);
      const double move = std::abs(next - mu);
      mu = next;
      if (move <= rounding * (1 + std::abs(mu))) break;
    }
    normalise(u, [&](Index c) { return wright_omega(w_[c] - mu + log_q); });
  }

 private:
  template <class Entry>
  void normalise(double* u, Entry entry) const {
    const Index k = static_cast<Index>(w_.size());
    double total = 0;
    for (Index c = 0; c < k; ++c) total += u[c] = entry(c);
    for (Index c = 0; c < k; ++c) u[c] /= total;
  }

  std::vector<double> w_;
};

}  // namespace dualmargin
