#include "loss/class_intercepts.h"

#include <Eigen/Cholesky>
#include <algorithm>

namespace dualmargin {

ClassBalance balance_of(const Vec& mass, const Vec& target) {
  double theta = 0;
  for (Index c = 0; c < mass.size(); ++c) {
    if (mass[c] > target[c]) theta = std::max(theta, 1 - target[c] / mass[c]);
  }
  const Vec added = (target - (1 - theta) * mass).cwiseMax(0);
  const double total = added.sum();
  if (!(theta > 0 && total > 0)) return {0, added};
  return {theta, added / total};
}

Vec class_step(Mat H, const Vec& right) {
  const double k = static_cast<double>(right.size());
  H.array() += H.trace() / (k * k);
  return H.ldlt().solve(right);
}

}  // namespace dualmargin
