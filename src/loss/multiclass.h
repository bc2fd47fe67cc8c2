// Losses of the k scores z of a row in class y, each with the step of a dual method. Dual variables
// are kept as u = a + e_y, on the simplex for both.
//
//   softmax         \phi(z; y) = \log \sum_c e^{z_c} - z_y       \phi^*(a; y) = \sum_c u_c \log u_c
//   Crammer-Singer  \phi(z; y) = \max_c (z_c + [c \ne y]) - z_y  \phi^*(a; y) = u_y - 1
//
// K. Crammer and Y. Singer (2001), On the algorithmic implementation of multiclass kernel-based
// vector machines, Journal of Machine Learning Research 2, 265-292.
#pragma once

#include <memory>
#include <vector>

#include "loss/softmax.h"

namespace dualmargin {

class ClassLoss {
 public:
  const Index classes;
  const bool smooth;
  const double gamma;    // 1 for a loss that is not smooth
  const double at_zero;  // phi at zero scores
  const double margin;   // what is added to the scores of the classes other than y

  virtual ~ClassLoss() = default;

  virtual double value(const double* z, Index y) const = 0;
  // phi(z) + phi*(a) - a'z, its terms non-negative.
  virtual double fenchel_gap(const double* z, const double* u, Index y) const = 0;
  virtual double conjugate(const double* u, Index y) const = 0;
  // u becomes argmax_v  v'z - phi*(v - e_y) - q/2 |v - u|^2. Of one thread at a time.
  virtual void dual_step(const double* z, Index y, double q, double* u) = 0;

 protected:
  ClassLoss(Index k, bool smooth_, double gamma_, double at_zero_, double margin_)
      : classes(k), smooth(smooth_), gamma(gamma_), at_zero(at_zero_), margin(margin_) {}
};
using ClassLossPtr = std::shared_ptr<ClassLoss>;

class MulticlassSoftmax final : public ClassLoss {
 public:
  explicit MulticlassSoftmax(Index k)
      : ClassLoss(k, true, Softmax::gamma, std::log(static_cast<double>(k)), 0), step_(k) {}

  double value(const double* z, Index y) const override;
  double fenchel_gap(const double* z, const double* u, Index) const override {
    return Softmax::fenchel_gap(z, u, classes);
  }
  double conjugate(const double* u, Index) const override;
  void dual_step(const double* z, Index, double q, double* u) override { step_(z, q, u); }

 private:
  SoftmaxStep step_;
};

class CrammerSinger final : public ClassLoss {
 public:
  explicit CrammerSinger(Index k) : ClassLoss(k, false, 1, 1, 1), point_(k), sorted_(k) {}

  double value(const double* z, Index y) const override { return top(z, y) - z[y]; }
  // max_c (z_c + [c != y]) - sum_c u_c (z_c + [c != y])
  double fenchel_gap(const double* z, const double* u, Index y) const override;
  double conjugate(const double* u, Index y) const override { return u[y] - 1; }
  // The projection of u + (z + [c != y]) / q onto the simplex: max(0, . - mu), with mu from the
  // sorted entries. S. S. Keerthi, S. Sundararajan, K.-W. Chang, C.-J. Hsieh and C.-J. Lin (2008),
  // A sequential dual method for large scale multi-class linear SVMs, KDD, 408-416, section 3.
  void dual_step(const double* z, Index y, double q, double* u) override;

 private:
  double top(const double* z, Index y) const;

  std::vector<double> point_, sorted_;
};

}  // namespace dualmargin
