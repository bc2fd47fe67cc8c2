#include "augmented/expected_erm.h"

namespace dualmargin::augmented {

const Certificate& ExpectedErm::told(const Vec& w, const Certificate& c) const {
  if (seen != nullptr) seen->offer(w, NoDual(), c);
  return c;
}

double ExpectedErm::null_value() const {
  return rows.sum(
      [&](Index i) { return rows.weights[i] > 0 ? share(i) * loss.value(0, rows.y[i]) : 0.0; });
}

double ExpectedErm::smoothness(Index i) const {
  const double norm = perturbation.norm_after(rows.lengths()[i], rows.nonzeros(i));
  return smoothness_of(i, norm * norm);
}

double ExpectedErm::smoothness_of(Index i, double square) const {
  return static_cast<double>(n()) * share(i) * square / loss.gamma();
}

Vec ExpectedErm::least_subgradient(const Vec& w, Vec gradient) const {
  for (Index j = 0; j < w.size(); ++j) gradient[j] = least_subgradient(w[j], gradient[j]);
  return gradient;
}

}  // namespace dualmargin::augmented
