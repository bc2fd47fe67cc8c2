#include "loss/elastic_net.h"

namespace dualmargin {

double ElasticNet::value(const Vec& w) const {
  return sum_over(w.size(), [&](Index j) { return value(j, w[j]); });
}

double ElasticNet::conjugate(const Vec& v) const {
  return sum_over(v.size(), [&](Index j) { return conjugate(j, v[j]); });
}

double ElasticNet::conjugate(Index j, double v) const {
  if (columns == nullptr) return conjugate(v);
  if (free(j)) return 0;
  const double s = soft_threshold(v, l1_of(j)), w = grad_conjugate(j, v);
  return w == 0 ? 0.0 : std::isinf(w) ? HUGE_VAL : s * w - 0.5 * l2 * w * w;
}

double ElasticNet::gap(const Vec& w, const Vec& u) const {
  return sum_over(w.size(), [&](Index j) { return gap(j, w[j], u[j]); });
}

Vec ElasticNet::grad_conjugate(const Vec& v) const {
  return Vec::NullaryExpr(v.size(), [&](Index j) { return grad_conjugate(j, v[j]); });
}

Vec ElasticNet::nearest(const Vec& w) const {
  return Vec::NullaryExpr(w.size(), [&](Index j) { return nearest(j, w[j]); });
}

}  // namespace dualmargin
