#include "algebra/growing_basis.h"

namespace dualmargin {

void GrowingBasis::project(Vec& v, Vec& row) const {
  row = Vec::Zero(m_);
  for (int round = 0; round < 2; ++round) {
    const Vec part = Q_.leftCols(m_).transpose() * v;
    v -= Q_.leftCols(m_) * part;
    row += part;
  }
}

void GrowingBasis::append(const Vec& unit) {
  if (m_ == Q_.cols()) Q_.conservativeResize(Eigen::NoChange, 2 * m_);
  Q_.col(m_++) = unit;
}

void GrowingBasis::turn(Index j, double c, double s) {
  const Vec x = Q_.col(j);
  Q_.col(j) = c * x + s * Q_.col(j + 1);
  Q_.col(j + 1) = c * Q_.col(j + 1) - s * x;
}

}  // namespace dualmargin
