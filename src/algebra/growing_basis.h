// An orthonormal basis Q that follows a growing Cholesky factor L: row r of what is factored is
// \sum_j L_{rj} Q_j.
#pragma once

#include "base/numeric.h"

namespace dualmargin {

class GrowingBasis {
 public:
  // `length`: of a vector. An empty basis of vectors without length stands for none.
  explicit GrowingBasis(Index length) : Q_(length, length > 0 ? 16 : 0) {}

  // v less its projection, whose coordinates are added up in `row`; twice, for orthogonality up to
  // rounding (L. Giraud, J. Langou and M. Rozloznik 2005, doi:10.1016/j.camwa.2005.08.009).
  void project(Vec& v, Vec& row) const {
    row = Vec::Zero(m_);
    for (int round = 0; round < 2; ++round) {
      const Vec part = Q_.leftCols(m_).transpose() * v;
      v -= Q_.leftCols(m_) * part;
      row += part;
    }
  }

  void append(const Vec& unit) {
    if (m_ == Q_.cols()) Q_.conservativeResize(Eigen::NoChange, 2 * m_);
    Q_.col(m_++) = unit;
  }

  // The rotations of GrowingCholesky::remove(), then the last vector leaves.
  void turn(Index j, double c, double s) {
    const Vec x = Q_.col(j);
    Q_.col(j) = c * x + s * Q_.col(j + 1);
    Q_.col(j + 1) = c * Q_.col(j + 1) - s * x;
  }
  void remove_last() { --m_; }

 private:
  Mat Q_;
  Index m_ = 0;
};

}  // namespace dualmargin
