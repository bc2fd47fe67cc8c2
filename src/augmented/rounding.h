// How far rounding can have moved a value and a gradient: by base/rounding.h, of what they are
// summed from. A score z = w'x carries that of sum_j |w_j x_j|, however small z is, and
// hands it on to the loss by its slope, to the slope by at most 1 / gamma. A suboptimality that is
// made of a gradient has digits below those of the value: it holds the rounding of the gradient,
// and only the bound, and with it the gap, that of the value as well.
#pragma once

#include <algorithm>

#include "augmented/expected_erm.h"
#include "base/rounding.h"

namespace dualmargin::augmented {

// bound <= F^* and F(w) - F^* <= suboptimality; the bound, and so the gap, also allow for the error
// of the value, at most value_error, whose standard error is value_se.
struct GradientBound : Certificate {
  double suboptimality = HUGE_VAL, value_error = HUGE_VAL, value_se = 0, value_rounding = 0;

  GradientBound() = default;
  // subopt: but for its rounding; of_value: the error of the value, that of rounding apart.
  GradientBound(double value_, double subopt, double rounding_of_subopt, double of_value,
                double rounding_of_value);
  // Of two lower limits of F^* the higher one; no loss and no penalty is below 0. So F(w) - F^* is at
  // most F(w) - least, and F(w) at most value + value_error; where rounding alone puts that limit
  // above the value, the gap goes with it. A value that is itself below `least`, by the error of its
  // draws, keeps the bound below it.
  void raise_bound(double least = 0);
  void drop_bound();
};

class Rounding {
 public:
  // additions: as many as enter a coordinate of the gradient
  Rounding(const ExpectedErm& problem, const Vec& w, double additions);

  // One row: each(f) calls f(j, x_j) for its coordinates. `value` and `slope`: of what is summed,
  // in magnitude; `spread`: what else is in the score. Returns the size of its terms in the value,
  // and adds that of those in the gradient to `sizes`.
  template <class Each>
  double row(Index i, double value, double slope, double spread, Each each, Vec& sizes) const {
    const double share = problem_.share(i);
    if (!(share > 0)) return 0;
    double score = std::abs(problem_.rows.y[i]) + spread;
    each([&](Index j, double x) { score += std::abs(w_[j] * x); });
    const double pull = share * (slope + score / problem_.loss->gamma());
    each([&](Index j, double x) { sizes[j] += pull * std::abs(x); });
    return share * (value + slope * score);
  }
  void add(double value, const Vec& sizes);

  double of_value() const { return bounded((rounding::of_value() + of_score_) * value_); }
  // Of |g|^2 / (2 l2), for a g known coordinate by coordinate or by its square alone.
  double of_gap(const Vec& g) const;
  double of_gap(double square) const;

 private:
  static constexpr double of_perturbation = 8;  // of a value of a perturbed row
  // Out of range is out of bounds.
  static double bounded(double x) { return std::isnan(x) ? HUGE_VAL : x; }

  const ExpectedErm& problem_;
  const Vec& w_;
  double value_, of_score_ = 0, of_sums_ = 0;
  Vec gradient_;
};

// Where the mean over the perturbations is known.
GradientBound known_certificate(const ExpectedErm& problem, const Vec& w, double value,
                                const Vec& g, Tick& tick);

}  // namespace dualmargin::augmented
