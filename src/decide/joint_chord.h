// The curvature of the softmax loss without a few rows, from that of the fit. With H the Hessian of
// the fit, p_i the probabilities there, L_i L_i' = diag(p_i) - p_i p_i' and X the columns of the
// share_i^{1/2} L_i (x) x_i of the rows that leave,
//
//   H - X X' >= (1 - lev) H,  lev the largest eigenvalue of X'H^{-1}X,
//
// and at a point where no difference of the scores of two classes of a row is further than t from
// what it is at the fit, the Hessian without the rows is at least e^{-t} times that.
#pragma once

#include <vector>

#include "decide/joint_fit.h"

namespace dualmargin::decide {

class JointChord {
 public:
  static constexpr Index most_columns = 64;

  // out: the rows that leave; left: the share of the weights that stays
  JointChord(const JointFit& fit, const std::vector<Index>& out, double left);

  bool usable() const { return least_ > 0.05 && core_.allFinite(); }
  // rho with H' >= rho H
  double least(double t) const { return std::exp(-t) * least_; }
  // About H'^{-1} v.
  Vec solve(const Vec& v) const;

 private:
  const JointFit& fit_;
  double left_, least_ = 0;
  Mat white_, core_;
};

}  // namespace dualmargin::decide
