// f += sum_k k_k coef_k' for rows k_k of a kernel matrix, a column of f for each function. Rows in
// single precision are summed in single precision, in packets, and added to f sixteen at a time.
#pragma once

#include "rows/gram.h"

namespace dualmargin::kernel {

template <class Scalar>
class ScoreSum;

template <>
class ScoreSum<double> {
 public:
  explicit ScoreSum(MatRef f) : f_(f) {}

  double* column(Index c) { return f_.col(c).data(); }
  void added(int) {}
  void flush() {}

 private:
  MatRef f_;
};

template <>
class ScoreSum<float> {
 public:
  explicit ScoreSum(MatRef f) : f_(f), sum_(Eigen::MatrixXf::Zero(f.rows(), f.cols())) {}

  float* column(Index c) { return sum_.col(c).data(); }
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
  MatRef f_;
  Eigen::MatrixXf sum_;
  int rows_ = 0;
};

}  // namespace dualmargin::kernel
