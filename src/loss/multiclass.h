// Losses of the k scores z of a row in class y, each with the step of a dual method. Dual variables
// are kept as u = a + e_y, on the simplex for both.
//
//   softmax         \phi(z; y) = \log \sum_c e^{z_c} - z_y       \phi^*(a; y) = \sum_c u_c \log u_c
//   Crammer-Singer  \phi(z; y) = \max_c (z_c + [c \ne y]) - z_y  \phi^*(a; y) = u_y - 1
//
// K. Crammer and Y. Singer (2001), On the algorithmic implementation of multiclass kernel-based
// vector machines, Journal of Machine Learning Research 2, 265-292.
#pragma once

#include <vector>

#include "loss/softmax.h"

namespace dualmargin {

class MulticlassSoftmax {
 public:
  static constexpr bool smooth = true;
  static constexpr double gamma = Softmax::gamma;

  explicit MulticlassSoftmax(Index k) : k_(k), step_(k) {}

  double value(const double* z, Index y) const;
  // phi(z) + phi*(a) - a'z, its terms non-negative.
  double fenchel_gap(const double* z, const double* u, Index) const {
    return Softmax::fenchel_gap(z, u, k_);
  }
  double conjugate(const double* u, Index) const;
  // phi at zero scores
  double at_zero() const { return std::log(static_cast<double>(k_)); }
  // What is added to the scores of the classes other than y.
  static constexpr double margin = 0;
  // u becomes argmax_v  v'z - phi*(v - e_y) - q/2 |v - u|^2
  void dual_step(const double* z, Index, double q, double* u) { step_(z, q, u); }

 private:
  Index k_;
  SoftmaxStep step_;
};

class CrammerSinger {
 public:
  static constexpr bool smooth = false;
  static constexpr double gamma = 1;

  explicit CrammerSinger(Index k) : k_(k), point_(k), sorted_(k) {}

  double value(const double* z, Index y) const { return top(z, y) - z[y]; }
  // max_c (z_c + [c != y]) - sum_c u_c (z_c + [c != y])
  double fenchel_gap(const double* z, const double* u, Index y) const;
  double conjugate(const double* u, Index y) const { return u[y] - 1; }
  double at_zero() const { return 1; }
  static constexpr double margin = 1;
  // The projection of u + (z + [c != y]) / q onto the simplex: max(0, . - mu), with mu from the
  // sorted entries. S. S. Keerthi, S. Sundararajan, K.-W. Chang, C.-J. Hsieh and C.-J. Lin (2008),
  // A sequential dual method for large scale multi-class linear SVMs, KDD, 408-416, section 3.
  void dual_step(const double* z, Index y, double q, double* u);

 private:
  double top(const double* z, Index y) const;

  Index k_;
  std::vector<double> point_, sorted_;
};

}  // namespace dualmargin
