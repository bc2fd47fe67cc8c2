// The mean of the losses over the perturbations, where it is known in closed form.
#pragma once

#include <functional>

#include "augmented/gaussian_loss.h"
#include "augmented/perturbation.h"
#include "loss/any_loss.h"
#include "rows/typed_rows.h"

namespace dualmargin::augmented {

// value(w, gradient, tick): (1/W) sum_i omega_i E phi(w'(rho x_i); y_i), and its gradient. The
// makers below copy `rows`. Rows of weight zero are not there.
using Expectation = std::function<double(const Vec& w, Vec& gradient, Tick& tick)>;

// The sum over the rows of mean(i, z_i), which has a value and a slope.
template <class Data, class Mean>
double sum_of_means(const TypedRows<Data>& rows, const Vec& w, Vec& gradient, Mean mean,
                    Tick& tick) {
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

// No perturbation.
template <class Data>
Expectation plain_expectation(const TypedRows<Data>& rows, const AnyLoss& loss) {
  return [rows, loss](const Vec& w, Vec& gradient, Tick& tick) {
    const auto mean = [&](Index i, double z) {
      return LossMeans{loss.value(z, rows.y[i]), loss.slope(z, rows.y[i]), 0};
    };
    return sum_of_means(rows, w, gradient, mean, tick);
  };
}

// The squared loss under independent noise: E xi = x and E xi_j^2 = a x_j^2 + b, so
//
//   E (w'xi - y)^2 / 2 = (w'x - y)^2 / 2 + sum_j v_j w_j^2 / 2,   v_j = (a - 1) x_j^2 + b,
//
// and of the v only their mean over the rows is needed.
template <class Data>
Expectation squared_expectation(const TypedRows<Data>& rows, const AnyLoss& loss,
                                const Moments& noise, Tick& tick) {
  Vec v = (noise.scale - 1) * rows.column_norms(tick).cwiseAbs2();
  v.array() += noise.added;
  if (rows.bias() != 0) v[rows.dim() - 1] = 0;
  return [plain = plain_expectation(rows, loss), v](const Vec& w, Vec& gradient, Tick& t) {
    const double value = plain(w, gradient, t);
    gradient += v.cwiseProduct(w);
    return value + 0.5 * sum_over(w.size(), [&](Index j) { return v[j] * w[j] * w[j]; });
  };
}

// Normal noise of the given variance on every coordinate but the bias, of which u is the rest of w:
// the score is normal with the standard deviation tau = sd |u|, and by Stein's lemma
//
//   grad_u E phi = E phi' x + sd^2 E phi'' u.
//
// `phi` has its means in gaussian_loss.h.
template <class Data, class Loss>
Expectation normal_expectation(const TypedRows<Data>& rows, const Loss& phi, double variance) {
  return [rows, phi, law = under_normal_noise(phi), variance](const Vec& w, Vec& gradient,
                                                              Tick& tick) {
    const Index p = rows.dim() - (rows.bias() != 0);
    const double tau = std::sqrt(variance) * w.head(p).norm();
    Vec curvature = Vec::Zero(rows.n());
    const auto mean = [&](Index i, double z) {
      const LossMeans f = mean_loss(phi, law, z, rows.y[i], tau);
      curvature[i] = rows.share(i) * f.curvature;
      return f;
    };
    const double value = sum_of_means(rows, w, gradient, mean, tick);
    const double bend = rows.sum([&](Index i) { return curvature[i]; });
    gradient.head(p) += variance * bend * w.head(p);
    return value;
  };
}

}  // namespace dualmargin::augmented
