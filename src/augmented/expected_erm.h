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

#include "augmented/expectation.h"
#include "augmented/perturbed_rows.h"
#include "loss/elastic_net.h"
#include "run/certificate.h"
#include "run/run.h"
#include "run/snapshot.h"

namespace dualmargin::augmented {

struct NoDual {};
using Seen = Snapshot<Vec, NoDual>;

struct ExpectedErm {
  Rows rows;  // with a team of one where the perturbation is a function of the user's
  AnyLoss loss;
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
