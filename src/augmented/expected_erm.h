// Empirical risk under random perturbations rho of the rows, the problem of the augmented family
// (A. Bietti and J. Mairal 2017, Stochastic Optimization with Variance Reduction for Infinite
// Datasets with Finite Sum Structure, NIPS 30, (2); arXiv:1610.00970):
//
//   F(w) = \frac1n \sum_i f_i(w) + l1 |w|_1,
//   f_i(w) = \frac{n \omega_i}{W} E_\rho \phi(w^\top (\rho x_i); y_i) + \frac{l2}{2} |w|^2
//
// F is l2-strongly convex, so for every g in its subdifferential at w
//
//   F(w) - F^* \le |g|^2 / (2 l2).
//
// The subgradient of least norm is the gradient G of the smooth part where w_j is not zero, plus
// l1 sign(w_j), and S(G_j, l1) where it is.
#pragma once

#include <functional>

#include "augmented/gaussian_loss.h"
#include "augmented/perturbation.h"
#include "augmented/perturbed_rows.h"
#include "loss/elastic_net.h"
#include "loss/loss.h"
#include "rows/rows.h"
#include "run/certificate.h"
#include "run/run.h"
#include "run/snapshot.h"

namespace dualmargin::augmented {

// The mean of the losses over the perturbations, where it is known in closed form.

// value(w, gradient, tick): (1/W) sum_i omega_i E phi(w'(rho x_i); y_i), and its gradient. The
// makers below copy `rows`. Rows of weight zero are not there.
using Expectation = std::function<double(const Vec& w, Vec& gradient, Tick& tick)>;

// No perturbation.
Expectation plain_expectation(const Rows& rows, const LossPtr& loss);

// The squared loss under independent noise: E xi = x and E xi_j^2 = a x_j^2 + b, so
//
//   E (w'xi - y)^2 / 2 = (w'x - y)^2 / 2 + sum_j v_j w_j^2 / 2,   v_j = (a - 1) x_j^2 + b,
//
// and of the v only their mean over the rows is needed.
Expectation squared_expectation(const Rows& rows, const LossPtr& loss, const Moments& noise,
                                Tick& tick);

// Normal noise of the given variance on every coordinate but the bias, of which u is the rest of w:
// the score is normal with the standard deviation tau = sd |u|, and by Stein's lemma
//
//   grad_u E phi = E phi' x + sd^2 E phi'' u.
//
// `law`: the means of the loss, see gaussian_loss.h.
Expectation normal_expectation(const Rows& rows, const LossPtr& loss, const NormalMeans& law,
                               double variance);

struct NoDual {};
using Seen = Snapshot<Vec, NoDual>;

struct ExpectedErm {
  Rows rows;  // with a team of one where the perturbation is a function of the user's
  LossPtr loss;
  const Perturbation& perturbation;
  ElasticNet penalty;
  Expectation expectation;  // empty where the mean over rho has no closed form
  Seen* seen = nullptr;     // is told of every point that is certified or estimated

  Index n() const { return rows.n(); }
  Index dim() const { return rows.dim(); }
  double share(Index i) const { return rows.share(i); }
  bool known() const { return static_cast<bool>(expectation); }

  const Certificate& told(const Vec& w, const Certificate& c) const;

  // F at w = 0, where perturbations change nothing: the yardstick of the relative gap.
  double null_value() const;

  // L_i - l2: how fast the slope of n omega_i / W phi(w'(rho x_i)) may change; NaN: unknown.
  double smoothness(Index i) const;
  // The same for a perturbed row of |rho x_i|^2 = square.
  double smoothness_of(Index i, double square) const;

  // Gradient of the smooth part -> subgradient of least norm.
  double least_subgradient(double w, double gradient) const {
    const double g = gradient + penalty.l2 * w;
    return w != 0 ? g + std::copysign(penalty.l1, w) : soft_threshold(g, penalty.l1);
  }
  Vec least_subgradient(const Vec& w, Vec gradient) const;
};

}  // namespace dualmargin::augmented
