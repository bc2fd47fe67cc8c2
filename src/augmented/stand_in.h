// A control variate for the sampled gradient: every row's loss replaced by a quadratic function of
// its score, whose mean over the perturbations is known. Only the rest is left to be sampled, and
// what is first or second order in the perturbation is not in it.
//
// With E xi = x, independent coordinates, D = Var(xi), z0 = w'x and any numbers b and c,
//
//   psi(z) = phi(z0) + b (z - z0) + c/2 (z - z0)^2,   E psi(w'xi) = phi(z0) + c/2 w'D w,
//   E psi'(w'xi) xi = b x + c D w.
//
// b and c are those of the line that is nearest to phi' where the score is normal, w'xi = z0 + h s
// with h^2 = w'D w: b = E phi'(z0 + h s) and c = E s phi'(z0 + h s) / h, by Gauss and Hermite's
// rule of five nodes. What is left is of third order even where phi' bends; with the tangent's b =
// phi'(z0) it held a linear part, and its variance was 2.5 times as large.
#pragma once

#include <vector>

#include "augmented/expected_erm.h"

namespace dualmargin::augmented {

class StandIn {
 public:
  // Nothing is replaced where the variance of the perturbed values is not known.
  StandIn(const ExpectedErm& problem, const Vec& w, Tick& tick);

  // f(k, j, g): the k-th stored coordinate of E psi' xi is g and that of w_j; where the variance is
  // not known, of the gradient at the row as it is.
  template <class F>
  void gradient(Index i, const Vec& w, F f) const {
    const Line& r = lines_[i];
    Index k = 0;
    x_.for_each(i, [&](Index j, double value) {
      f(k, j, r.slope * value + r.curve * variance_of(i, k, value) * w[j]);
      ++k;
    });
  }

  // psi and its slope for row i at the score z.
  double value(Index i, double z) const;
  double slope(Index i, double z) const;
  double score(Index i) const { return lines_[i].z; }
  // The mean over the rows and the perturbations.
  double mean_value() const { return value_; }
  const Vec& mean_gradient() const { return gradient_; }

 private:
  struct Line {
    double z = 0, value = 0, slope = 0, curve = 0;
  };
  // slope: phi'; that at r.z is in r.slope.
  static void nearest_line(Line& r, double h, FunctionRef<double(double)> slope);
  double variance_of(Index i, Index k, double value) const {
    const bool perturbed = noise_.known && k < x_.nonzeros(i) - (x_.bias() != 0);
    return perturbed ? (noise_.scale - 1) * value * value + noise_.added : 0.0;
  }

  const Rows& x_;
  Moments noise_;
  std::vector<Line> lines_;
  double value_ = 0;
  Vec gradient_;
};

}  // namespace dualmargin::augmented
