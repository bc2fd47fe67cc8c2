#include "decide/joint_chord.h"

#include "base/slack.h"
#include "decide/eigenvalues.h"
#include "region/joint_ellipsoid.h"

namespace dualmargin::decide {

JointChord::JointChord(const JointFit& fit, const std::vector<Index>& out, double left)
    : fit_(fit), left_(left) {
  const Index k = fit.classes(), count = static_cast<Index>(out.size());
  if (count == 0 || k * count > most_columns || !fit.factor.usable()) return;
  const Mat x = region::columns_of(
      fit.rows, count, [&](Index j) { return out[j]; }, fit.free());
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
  const double inflation = fit.factor.inflation * fit.factor.inflation;
  const double lev = largest_eigenvalue(inner) * inflation * rounding::raised_exp + rounding::slack;
  // beside the mean of the losses that are left; rule "lambda" takes from the penalty as well
  least_ = fit.given.rule == Rule::cost ? (1 - lev) / left : 1 - lev / left;
  core_ = inverse_of(Mat(Mat::Identity(inner.rows(), inner.rows()) - inner));
}

Vec JointChord::solve(const Vec& v) const {
  Vec y = fit_.factor.whitened(v);
  y += white_ * (core_ * (white_.transpose() * y));
  fit_.factor.root.template triangularView<Eigen::Upper>().solveInPlace(y);
  return left_ * y.cwiseQuotient(fit_.factor.size);
}

}  // namespace dualmargin::decide
