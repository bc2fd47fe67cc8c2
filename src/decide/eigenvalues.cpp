#include "decide/eigenvalues.h"

#include <Eigen/Eigenvalues>

namespace dualmargin::decide {

Vec eigenvalues(const Mat& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Mat> solver(symmetric, Eigen::EigenvaluesOnly);
  return solver.info() == Eigen::Success ? solver.eigenvalues() : Vec();
}

double largest_eigenvalue(const Mat& symmetric) {
  const Vec found = eigenvalues(symmetric);
  return found.size() == 0 ? HUGE_VAL : found.maxCoeff();
}

}  // namespace dualmargin::decide
