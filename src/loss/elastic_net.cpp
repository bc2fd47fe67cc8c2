#include "loss/elastic_net.h"

namespace dualmargin {

double ElasticNet::value(const Eigen::Ref<const Vec>& w) const {
  return sum_over(w.size(), [&](Index j) { return value(j, w[j]); });
}

double ElasticNet::conjugate(const Eigen::Ref<const Vec>& v) const {
  return sum_over(v.size(), [&](Index j) { return conjugate(j, v[j]); });
}

double ElasticNet::own_conjugate(Index j, double v) const {
  if (free(j)) return 0;
  const double s = soft_threshold(v, l1_of(j)), w = grad_conjugate(j, v);
  return w == 0 ? 0.0 : std::isinf(w) ? HUGE_VAL : s * w - 0.5 * l2 * w * w;
}

double ElasticNet::gap(const Eigen::Ref<const Vec>& w, const Eigen::Ref<const Vec>& u) const {
  return sum_over(w.size(), [&](Index j) { return gap(j, w[j], u[j]); });
}

}  // namespace dualmargin
