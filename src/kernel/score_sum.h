// f += sum_k k_k coef_k' for rows k_k of a kernel matrix, a column of f for each function. Rows in
// single precision are summed in single precision, in packets, and added to f sixteen at a time.
#pragma once

#include "rows/gram.h"

namespace dualmargin::kernel {

template <class Scalar>
class ScoreSum {
 public:
  explicit ScoreSum(MatRef f) : f_(f) {
    if (single) sum_.setZero(f.rows(), f.cols());
  }

  Scalar* column(Index c) {
    if constexpr (single) {
      return sum_.col(c).data();
    } else {
      return f_.col(c).data();
    }
  }
  void added(int rows) {
    rows_ += rows;
    if (rows_ >= 16) flush();
  }
  void flush() {
    if (!single || rows_ == 0) return;
    f_ += sum_.template cast<double>();
    sum_.setZero();
    rows_ = 0;
  }

 private:
  static constexpr bool single = std::is_same_v<Scalar, float>;

  MatRef f_;
  Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic> sum_;
  int rows_ = 0;
};

}  // namespace dualmargin::kernel
