// A control variate for the sampled gradient: every row's loss replaced by a quadratic function of
// its score, whose mean over the perturbations is known. Only the rest is left to be sampled, and
// what is first or second order in the perturbation is not in it.
//
// With E xi = x, independent coordinates, D = Var(xi), z0 = w'x and any number c,
//
//   psi(z) = phi(z0) + phi'(z0) (z - z0) + c/2 (z - z0)^2,   E psi(w'xi) = phi(z0) + c/2 w'D w,
//   E psi'(w'xi) xi = phi'(z0) x + c D w.
//
// c is the slope of the secant of phi' over one standard deviation of w'xi to either side, since
// phi' may have kinks.
#pragma once

#include <vector>

#include "augmented/expected_erm.h"

namespace dualmargin {

template <class Problem>
class StandIn {
 public:
  // Nothing is replaced where the variance of the perturbed values is not known.
  StandIn(const Problem& problem, const Vec& w) : gradient_(Vec::Zero(w.size())) {
    const Moments noise = problem.perturbation.moments();
    if (!noise.known) return;
    const auto& x = problem.x;
    rows_.reserve(problem.n());
    std::vector<double> variance;
    Sum total;
    for (Index i = 0; i < problem.n(); ++i) {
      const double share = problem.share(i), y = problem.y[i];
      const Index last = x.nonzeros(i) - (x.bias() != 0);
      variance.assign(x.nonzeros(i), 0.0);
      double of_score = 0;
      Index k = 0;
      x.for_each(i, [&](Index j, double value) {
        if (k < last) variance[k] = (noise.scale - 1) * value * value + noise.added;
        of_score += variance[k++] * w[j] * w[j];
      });
      Row r;
      r.z = x.dot(i, w);
      r.value = problem.loss.value(r.z, y);
      r.slope = problem.loss.slope(r.z, y);
      const double h = std::sqrt(of_score);
      if (h > 0) {
        r.curve = (problem.loss.slope(r.z + h, y) - problem.loss.slope(r.z - h, y)) / (2 * h);
      }
      rows_.push_back(r);
      if (!(share > 0)) continue;
      total.add(share * (r.value + 0.5 * r.curve * of_score));
      k = 0;
      x.for_each(i, [&](Index j, double value) {
        gradient_[j] += share * (r.slope * value + r.curve * variance[k++] * w[j]);
      });
    }
    value_ = total.value();
  }

  // psi and its slope for row i at the score z.
  double value(Index i, double z) const {
    if (rows_.empty()) return 0;
    const Row& r = rows_[i];
    return r.value + (z - r.z) * (r.slope + 0.5 * r.curve * (z - r.z));
  }
  double slope(Index i, double z) const {
    return rows_.empty() ? 0 : rows_[i].slope + rows_[i].curve * (z - rows_[i].z);
  }
  // The mean over the rows and the perturbations.
  double mean_value() const { return value_; }
  const Vec& mean_gradient() const { return gradient_; }

 private:
  struct Row {
    double z = 0, value = 0, slope = 0, curve = 0;
  };
  std::vector<Row> rows_;
  double value_ = 0;
  Vec gradient_;
};

}  // namespace dualmargin
