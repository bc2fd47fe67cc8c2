#include "decide/eigenvalues.h"

#include <Eigen/Eigenvalues>

namespace dualmargin::decide {

Vec eigenvalues(const Mat& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Mat> solver(symmetric, Eigen::EigenvaluesOnly);
  return solver.info() == Eigen::Success ? solver.eigenvalues() : Vec();
}

}  // namespace dualmargin::decide
