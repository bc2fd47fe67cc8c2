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

template <class Problem>
class StandIn {
 public:
  // Nothing is replaced where the variance of the perturbed values is not known.
  StandIn(const Problem& problem, const Vec& w, Tick& tick)
      : x_(problem.rows), noise_(problem.perturbation.moments()), lines_(problem.n()) {
    Vec values = Vec::Zero(problem.n());
    gradient_ = problem.rows.column_sums(
        [&](Index i, Vec& u) {
          const double share = problem.share(i), y = problem.rows.y[i];
          double variance = 0;
          Index k = 0;
          x_.for_each(i, [&](Index j, double value) {
            variance += variance_of(i, k++, value) * w[j] * w[j];
          });
          Line& line = lines_[i];
          line.z = x_.dot(i, w);
          line.value = problem.loss.value(line.z, y);
          line.slope = problem.loss.slope(line.z, y);
          const double h = std::sqrt(variance);
          if (h > 0) nearest_line(line, h, [&](double z) { return problem.loss.slope(z, y); });
          if (!noise_.known || !(share > 0)) return;
          values[i] = share * (line.value + 0.5 * line.curve * variance);
          gradient(i, w, [&](Index, Index j, double g) { u[j] += share * g; });
        },
        tick);
    value_ = problem.rows.sum([&](Index i) { return values[i]; });
  }

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
  double value(Index i, double z) const {
    if (!noise_.known) return 0;
    const Line& r = lines_[i];
    return r.value + (z - r.z) * (r.slope + 0.5 * r.curve * (z - r.z));
  }
  double slope(Index i, double z) const {
    return !noise_.known ? 0 : lines_[i].slope + lines_[i].curve * (z - lines_[i].z);
  }
  double score(Index i) const { return lines_[i].z; }
  // The mean over the rows and the perturbations.
  double mean_value() const { return value_; }
  const Vec& mean_gradient() const { return gradient_; }

 private:
  struct Line {
    double z = 0, value = 0, slope = 0, curve = 0;
  };
  // slope: phi'; that at r.z is in r.slope.
  template <class Slope>
  static void nearest_line(Line& r, double h, Slope slope) {
    constexpr double nodes[] = {1.355626179974266, 2.856970013872806};
    constexpr double shares[] = {0.2220759220056126, 0.01125741132772069};
    double mean = 0.5333333333333333 * r.slope, moment = 0;
    for (int k = 0; k < 2; ++k) {
      const double above = slope(r.z + nodes[k] * h), below = slope(r.z - nodes[k] * h);
      mean += shares[k] * (above + below);
      moment += shares[k] * nodes[k] * (above - below);
    }
    r.slope = mean;
    r.curve = moment / h;
  }
  double variance_of(Index i, Index k, double value) const {
    const bool perturbed = noise_.known && k < x_.nonzeros(i) - (x_.bias() != 0);
    return perturbed ? (noise_.scale - 1) * value * value + noise_.added : 0.0;
  }

  const TypedRows<typename Problem::Data>& x_;
  Moments noise_;
  std::vector<Line> lines_;
  double value_ = 0;
  Vec gradient_;
};

}  // namespace dualmargin::augmented
