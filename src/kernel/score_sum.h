// f += sum_k a_k k_k for rows k_k of a kernel matrix. Rows in single precision are summed in single
// precision, in packets, and added to f sixteen at a time.
#pragma once

#include "core/numeric.h"

namespace dualmargin {

template <class Scalar>
class ScoreSum;

template <>
class ScoreSum<double> {
 public:
  explicit ScoreSum(Vec& f) : f_(f) {}

  double* data() { return f_.data(); }
  void added(int) {}
  void flush() {}

 private:
  Vec& f_;
};

template <>
class ScoreSum<float> {
 public:
  explicit ScoreSum(Vec& f) : f_(f), sum_(Eigen::VectorXf::Zero(f.size())) {}

  float* data() { return sum_.data(); }
  void added(int rows) {
    rows_ += rows;
    if (rows_ >= 16) flush();
  }
  void flush() {
    if (rows_ == 0) return;
    f_ += sum_.cast<double>();
    sum_.setZero();
    rows_ = 0;
  }

 private:
  Vec& f_;
  Eigen::VectorXf sum_;
  int rows_ = 0;
};

}  // namespace dualmargin
