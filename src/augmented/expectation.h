// The mean of the losses over the perturbations, where it is known in closed form.
#pragma once

#include <functional>

#include "augmented/gaussian_loss.h"
#include "augmented/perturbation.h"
#include "loss/any_loss.h"

namespace dualmargin::augmented {

// value(w, gradient): (1/W) sum_i omega_i E phi(w'(rho x_i); y_i), and its gradient. The makers
// below keep references to x, y and omega. Rows of weight zero are not there.
using Expectation = std::function<double(const Vec& w, Vec& gradient)>;

// No perturbation.
template <class Data>
Expectation plain_expectation(const Data& x, const Vec& y, const Vec& omega, const AnyLoss& loss) {
  return [&x, &y, &omega, loss](const Vec& w, Vec& gradient) {
    const double total = omega.sum();
    gradient.setZero();
    return sum_over(x.n(), [&](Index i) {
      if (!(omega[i] > 0)) return 0.0;
      const double z = x.dot(i, w);
      x.axpy(i, omega[i] / total * loss.slope(z, y[i]), gradient);
      return omega[i] / total * loss.value(z, y[i]);
    });
  };
}

// The squared loss under independent noise: E xi = x and E xi_j^2 = a x_j^2 + b, so
//
//   E (w'xi - y)^2 / 2 = (w'x - y)^2 / 2 + sum_j v_j w_j^2 / 2,   v_j = (a - 1) x_j^2 + b,
//
// and of the v only their mean over the rows is needed.
template <class Data>
Expectation squared_expectation(const Data& x, const Vec& y, const Vec& omega, const AnyLoss& loss,
                                const Moments& noise) {
  const double total = omega.sum();
  Vec v = Vec::Constant(x.dim(), noise.added);
  for (Index i = 0; i < x.n(); ++i) {
    const double share = (noise.scale - 1) * omega[i] / total;
    x.for_each(i, [&](Index j, double value) { v[j] += share * value * value; });
  }
  if (x.bias() != 0) v[x.dim() - 1] = 0;
  return [plain = plain_expectation(x, y, omega, loss), v](const Vec& w, Vec& gradient) {
    const double value = plain(w, gradient);
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
Expectation normal_expectation(const Data& x, const Vec& y, const Vec& omega, const Loss& phi,
                               double variance) {
  return
      [&x, &y, &omega, phi, law = under_normal_noise(phi), variance](const Vec& w, Vec& gradient) {
        const double total = omega.sum();
        const Index p = x.dim() - (x.bias() != 0);
        const double tau = std::sqrt(variance) * w.head(p).norm();
        double curvature = 0;
        gradient.setZero();
        const double value = sum_over(x.n(), [&](Index i) {
          if (!(omega[i] > 0)) return 0.0;
          const double z = x.dot(i, w), share = omega[i] / total;
          const LossMeans mean = mean_loss(phi, law, z, y[i], tau);
          x.axpy(i, share * mean.slope, gradient);
          curvature += share * mean.curvature;
          return share * mean.value;
        });
        gradient.head(p) += variance * curvature * w.head(p);
        return value;
      };
}

}  // namespace dualmargin::augmented
