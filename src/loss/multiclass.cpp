#include "loss/multiclass.h"

#include <algorithm>
#include <functional>

namespace dualmargin {

double MulticlassSoftmax::value(const double* z, Index y) const {
  const double* top = std::max_element(z, z + classes);
  double rest = 0;
  for (Index c = 0; c < classes; ++c) {
    if (z + c != top) rest += std::exp(z[c] - *top);
  }
  return std::log1p(rest) + (*top - z[y]);
}

double MulticlassSoftmax::conjugate(const double* u, Index) const {
  double sum = 0;
  for (Index c = 0; c < classes; ++c) {
    if (u[c] > 0) sum += u[c] * std::log(u[c]);
  }
  return sum;
}

double CrammerSinger::fenchel_gap(const double* z, const double* u, Index y) const {
  const double most = top(z, y);
  double sum = 0;
  for (Index c = 0; c < classes; ++c) sum += u[c] * (most - (z[c] + (c != y)));
  return sum;
}

void CrammerSinger::dual_step(const double* z, Index y, double q, double* u) {
  if (!(q > 0)) {
    for (Index c = 0; c < classes; ++c) point_[c] = z[c] + (c != y);
    const auto best = std::max_element(point_.begin(), point_.end()) - point_.begin();
    std::fill(u, u + classes, 0.0);
    u[best] = 1;
    return;
  }
  // less the largest, of which a tiny q would leave nothing of u, and of the 1 that all sum to
  const double most = top(z, y);
  for (Index c = 0; c < classes; ++c) point_[c] = u[c] + (z[c] + (c != y) - most) / q;
  const double largest = *std::max_element(point_.begin(), point_.end());
  for (double& one : point_) one -= largest;
  sorted_ = point_;
  std::sort(sorted_.begin(), sorted_.end(), std::greater<double>());
  double sum = 0, mu = 0;
  for (Index m = 0; m < classes; ++m) {
    sum += sorted_[m];
    const double next = (sum - 1) / static_cast<double>(m + 1);
    if (sorted_[m] <= next) break;
    mu = next;
  }
  double total = 0;
  for (Index c = 0; c < classes; ++c) total += u[c] = std::max(0.0, point_[c] - mu);
  for (Index c = 0; c < classes; ++c) u[c] /= total;
}

double CrammerSinger::top(const double* z, Index y) const {
  double most = z[y];
  for (Index c = 0; c < classes; ++c) {
    if (c != y) most = std::max(most, z[c] + 1);
  }
  return most;
}

}  // namespace dualmargin
