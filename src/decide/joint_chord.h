// The curvature of the softmax loss without a few rows, from that of the fit. With H the Hessian of
// the fit, p_i the probabilities there, L_i L_i' = diag(p_i) - p_i p_i' and X the columns of the
// share_i^{1/2} L_i (x) x_i of the rows that leave,
//
//   H - X X' >= (1 - lev) H,  lev the largest eigenvalue of X'H^{-1}X,
//
// and at a point where no difference of the scores of two classes of a row is further than t from
// what it is at the fit, the Hessian without the rows is at least e^{-t} times that.
#pragma once

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <vector>

#include "decide/joint_fit.h"

namespace dualmargin::decide {

class JointChord {
 public:
  static constexpr Index most_columns = 64;

  // out: the rows that leave; left: the share of the weights that stays
  JointChord(const JointFit& fit, const std::vector<Index>& out, double left)
      : fit_(fit), left_(left) {
    const Index k = fit.classes(), count = static_cast<Index>(out.size());
    if (count == 0 || k * count > most_columns || !fit.factor.usable()) return;
    Mat x(fit.width(), count);
    for (Index j = 0; j < count; ++j) x.col(j).head(fit.moved.dim()) = fit.moved.row(out[j]);
    if (fit.free()) x.row(fit.moved.dim()).setOnes();
    const std::vector<Mat> white = region::white_classes(fit.factor, x, k);
    white_ = Mat::Zero(white[0].rows(), k * count);
    for (Index j = 0; j < count; ++j) {
      const Vec p = fit.probabilities.row(out[j]).transpose(), root = p.cwiseSqrt();
      const Mat L = Mat(root.asDiagonal()) - p * root.transpose();
      const double share = std::sqrt(fit.given.omega[out[j]] / fit.rows.total_weight);
      for (Index l = 0; l < k; ++l) {
        for (Index c = 0; c < k; ++c) white_.col(j * k + l) += share * L(c, l) * white[c].col(j);
      }
    }
    const Mat inner = white_.transpose() * white_;
    const Eigen::SelfAdjointEigenSolver<Mat> solver(inner, Eigen::EigenvaluesOnly);
    if (solver.info() != Eigen::Success) return;
    const double inflation = fit.factor.inflation * fit.factor.inflation;
    const double lev = solver.eigenvalues().maxCoeff() * inflation * (1 + 1e-10) + 1e-12;
    // beside the mean of the losses that are left; rule "lambda" takes from the penalty as well
    least_ = fit.given.rule == Rule::cost ? (1 - lev) / left : 1 - lev / left;
    core_ = (Mat::Identity(inner.rows(), inner.rows()) - inner).partialPivLu().inverse();
  }

  bool usable() const { return least_ > 0.05 && core_.allFinite(); }
  // rho with H' >= rho H
  double least(double t) const { return std::exp(-t) * least_; }
  // About H'^{-1} v.
  Vec solve(const Vec& v) const {
    Vec y = fit_.factor.whitened(v);
    y += white_ * (core_ * (white_.transpose() * y));
    fit_.factor.root.template triangularView<Eigen::Upper>().solveInPlace(y);
    return left_ * y.cwiseQuotient(fit_.factor.size);
  }

 private:
  const JointFit& fit_;
  double left_, least_ = 0;
  Mat white_, core_;
};

}  // namespace dualmargin::decide
