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
  void project(Vec& v, Vec& row) const;

  void append(const Vec& unit);

  // The rotations of GrowingCholesky::remove(), then the last vector leaves.
  void turn(Index j, double c, double s);
  void remove_last() { --m_; }

 private:
  Mat Q_;
  Index m_ = 0;
};

}  // namespace dualmargin
