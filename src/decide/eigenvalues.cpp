#include "decide/eigenvalues.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace dualmargin::decide {

Vec eigenvalues(const Mat& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Mat> solver(symmetric, Eigen::EigenvaluesOnly);
  return solver.info() == Eigen::Success ? solver.eigenvalues() : Vec();
}

double largest_eigenvalue(const Mat& symmetric) {
  const Vec found = eigenvalues(symmetric);
  return found.size() == 0 ? HUGE_VAL : found.maxCoeff();
}

Mat inverse_of(const Mat& square) { return square.partialPivLu().inverse(); }

}  // namespace dualmargin::decide
