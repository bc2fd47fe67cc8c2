#include "augmented/expected_erm.h"

#include <cmath>

namespace dualmargin::augmented {

namespace {

// The sum over the rows of mean(i, z_i), which has a value and a slope.
template <class Mean>
double sum_of_means(const Rows& rows, const Vec& w, Vec& gradient, Mean mean, Tick& tick) {
  Vec values = Vec::Zero(rows.n());
  gradient = rows.gradient(
      w,
      [&](Index i, double z) {
        if (!(rows.weights[i] > 0)) return 0.0;
        const auto f = mean(i, z);
        values[i] = rows.share(i) * f.value;
        return rows.share(i) * f.slope;
      },
      tick);
  return rows.sum([&](Index i) { return values[i]; });
}

}  // namespace

Expectation plain_expectation(const Rows& rows, const LossPtr& loss) {
  return [rows, loss](const Vec& w, Vec& gradient, Tick& tick) {
    const auto mean = [&](Index i, double z) {
      return LossMeans{loss->value(z, rows.y[i]), loss->slope(z, rows.y[i]), 0};
    };
    return sum_of_means(rows, w, gradient, mean, tick);
  };
}

Expectation squared_expectation(const Rows& rows, const LossPtr& loss, const Moments& noise,
                                Tick& tick) {
  Vec v = (noise.scale - 1) * rows.column_norms(tick).cwiseAbs2();
  v.array() += noise.added;
  if (rows.bias() != 0) v[rows.dim() - 1] = 0;
  return [plain = plain_expectation(rows, loss), v](const Vec& w, Vec& gradient, Tick& t) {
    const double value = plain(w, gradient, t);
    gradient += v.cwiseProduct(w);
    return value + 0.5 * sum_over(w.size(), [&](Index j) { return v[j] * w[j] * w[j]; });
  };
}

Expectation normal_expectation(const Rows& rows, const LossPtr& loss, const NormalMeans& law,
                               double variance) {
  return [rows, loss, law, variance](const Vec& w, Vec& gradient, Tick& tick) {
    const Index p = rows.dim() - (rows.bias() != 0);
    const double tau = std::sqrt(variance) * w.head(p).norm();
    Vec curvature = Vec::Zero(rows.n());
    const auto mean = [&](Index i, double z) {
      const LossMeans f = mean_loss(*loss, law, z, rows.y[i], tau);
      curvature[i] = rows.share(i) * f.curvature;
      return f;
    };
    const double value = sum_of_means(rows, w, gradient, mean, tick);
    const double bend = rows.sum([&](Index i) { return curvature[i]; });
    gradient.head(p) += variance * bend * w.head(p);
    return value;
  };
}

const Certificate& ExpectedErm::told(const Vec& w, const Certificate& c) const {
  if (seen != nullptr) seen->offer(w, NoDual(), c);
  return c;
}

double ExpectedErm::null_value() const {
  return rows.sum(
      [&](Index i) { return rows.weights[i] > 0 ? share(i) * loss->value(0, rows.y[i]) : 0.0; });
}

double ExpectedErm::smoothness(Index i) const {
  const double norm = perturbation.norm_after(rows.lengths()[i], rows.nonzeros(i));
  return smoothness_of(i, norm * norm);
}

double ExpectedErm::smoothness_of(Index i, double square) const {
  return static_cast<double>(n()) * share(i) * square / loss->gamma();
}

Vec ExpectedErm::least_subgradient(const Vec& w, Vec gradient) const {
  for (Index j = 0; j < w.size(); ++j) gradient[j] = least_subgradient(w[j], gradient[j]);
  return gradient;
}

}  // namespace dualmargin::augmented
