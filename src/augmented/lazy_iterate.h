// The iterate of a stochastic gradient method whose steps change every coordinate in the same way
// but for those of one row, at the cost of that row.
//
//   w = s v - c g,
//
// where g is a vector that every step moves along (the mean gradient of SAGA; zero for SGD). Two
// numbers change for all coordinates together; what happens to w_j or g_j alone is made up for in
// v_j. The weighted average of the iterates,
//
//   \sum_t m_t w_t = sum + S v - C g,   S = \sum_t m_t s_t,   C = \sum_t m_t c_t,
//
// goes the same way.
#pragma once

#include <utility>

#include "augmented/perturbed_rows.h"

namespace dualmargin::augmented {

class LazyIterate {
 public:
  LazyIterate(Vec w, Vec g) : v_(std::move(w)), g_(std::move(g)), sum_(Vec::Zero(v_.size())) {}

  // w'xi
  double dot(const ShownRow& xi) const {
    const double z = s_ * xi.dot(v_);
    return c_ == 0 ? z : z - c_ * xi.dot(g_);
  }
  // w <- factor w - eta g
  void step(double factor, double eta) {
    s_ *= factor;
    c_ = factor * c_ + eta;
    inverse_ = 1 / s_;
    // while the average is kept, S holds values of s from the time when it was larger, and S v
    // would lose as many digits as s has fallen by
    if (s_ < (averages() ? 1e-5 : 1e-100)) settle();
  }
  // w_j += dw
  void move(Index j, double dw) {
    const double dv = dw * inverse_;
    if (averages()) sum_[j] -= S_ * dv;
    v_[j] += dv;
  }
  // w_j += dw, g_j += dg
  void move(Index j, double dw, double dg) {
    const double dv = (dw + c_ * dg) * inverse_;
    if (averages()) sum_[j] += C_ * dg - S_ * dv;
    v_[j] += dv;
    g_[j] += dg;
  }
  // w <- prox_{t |.|_1}(w), at the cost of all coordinates unless t = 0
  void soften(double t);

  // The present w enters the average.
  void count(double weight) {
    S_ += weight * s_;
    C_ += weight * c_;
    total_ += weight;
  }
  bool averages() const { return total_ > 0; }

  // w itself, until the next step; w = v.
  const Vec& settle();
  // w where no step() was made
  const Vec& values() const { return v_; }
  // Empty where there is none.
  Vec average();

 private:
  Vec v_, g_, sum_;
  double s_ = 1, inverse_ = 1, c_ = 0, S_ = 0, C_ = 0, total_ = 0;
};

}  // namespace dualmargin::augmented
