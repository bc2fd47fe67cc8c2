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
                double rounding_of_value)
      : Certificate(value_, subopt + of_value, rounding_of_subopt + rounding_of_value),
        suboptimality(subopt + rounding_of_subopt),
        value_error(of_value + rounding_of_value),
        value_rounding(rounding_of_value) {
    if (!std::isfinite(bound)) drop_bound();
  }
  // Of two lower limits of F^* the higher one: no loss and no penalty is below 0. So F(w) - F^* is
  // at most F(w), which is at most value + value_error; where rounding alone puts that limit above
  // the value, the gap goes with it. A value that is itself below 0, by the error of its draws,
  // keeps the bound below it.
  void raise_bound() {
    if (!std::isfinite(value) || value < 0 || bound >= 0) return;
    bound = 0;
    suboptimality = std::min(suboptimality, value + value_error);
    gap = std::max(value, std::min(suboptimality, value + value_rounding));
  }
  void drop_bound() {
    Certificate::drop_bound();
    suboptimality = HUGE_VAL;
  }
};

template <class Problem>
class Rounding {
 public:
  // additions: as many as enter a coordinate of the gradient
  Rounding(const Problem& problem, const Vec& w, double additions)
      : problem_(problem),
        w_(w),
        value_(problem.penalty.value(w)),
        gradient_((problem.penalty.l2 * w.cwiseAbs()).array() + problem.penalty.l1) {
    of_score_ = rounding::of_score(problem.rows.longest_row() + of_perturbation);
    of_sums_ = rounding::of(additions + of_perturbation) + of_score_;
  }

  // One row: each(f) calls f(j, x_j) for its coordinates. `value` and `slope`: of what is summed,
  // in magnitude; `spread`: what else is in the score. Returns the size of its terms in the value,
  // and adds that of those in the gradient to `sizes`.
  template <class Each>
  double row(Index i, double value, double slope, double spread, Each each, Vec& sizes) const {
    const double share = problem_.share(i);
    if (!(share > 0)) return 0;
    double score = std::abs(problem_.rows.y[i]) + spread;
    each([&](Index j, double x) { score += std::abs(w_[j] * x); });
    const double pull = share * (slope + score / problem_.loss.gamma());
    each([&](Index j, double x) { sizes[j] += pull * std::abs(x); });
    return share * (value + slope * score);
  }
  void add(double value, const Vec& sizes) {
    value_ += value;
    gradient_ += sizes;
  }

  double of_value() const { return bounded((rounding::of_value() + of_score_) * value_); }
  // Of |g|^2 / (2 l2), for a g known coordinate by coordinate or by its square alone.
  double of_gap(const Vec& g) const {
    const Vec e = of_sums_ * gradient_;
    return bounded(e.dot(2 * g.cwiseAbs() + e) / (2 * problem_.penalty.l2));
  }
  double of_gap(double square) const {
    const double e = of_sums_ * gradient_.norm();
    return bounded(e * (2 * std::sqrt(square) + e) / (2 * problem_.penalty.l2));
  }

 private:
  static constexpr double of_perturbation = 8;  // of a value of a perturbed row
  // Out of range is out of bounds.
  static double bounded(double x) { return std::isnan(x) ? HUGE_VAL : x; }

  const Problem& problem_;
  const Vec& w_;
  double value_, of_score_ = 0, of_sums_ = 0;
  Vec gradient_;
};

// Where the mean over the perturbations is known.
template <class Problem>
GradientBound known_certificate(const Problem& problem, const Vec& w, double value, const Vec& g,
                                Tick& tick) {
  const auto& rows = problem.rows;
  const Moments noise = problem.perturbation.moments();
  const double gamma = problem.loss.gamma(), tau = std::sqrt(noise.added) * w.norm();
  Rounding<Problem> rounding(problem, w, rows.additions());
  Vec values(rows.n());
  Vec sizes = rows.column_sums(
      [&](Index i, Vec& u) {
        const double z = rows.dot(i, w), y = rows.y[i];
        const double slope = std::abs(problem.loss.slope(z, y)) + tau / gamma;
        values[i] = rounding.row(
            i, problem.loss.value(z, y), slope, tau, [&](auto f) { rows.for_each(i, f); }, u);
        const double share = (noise.scale - 1) / gamma * rows.share(i);
        if (!(share > 0)) return;
        rows.for_each(i, [&](Index j, double x) { u[j] += share * x * x * std::abs(w[j]); });
      },
      tick);
  sizes += noise.added / gamma * w.cwiseAbs();
  rounding.add(rows.sum([&](Index i) { return values[i]; }), sizes);
  const double gap = g.squaredNorm() / (2 * problem.penalty.l2);
  return {value, gap, rounding.of_gap(g), 0, rounding.of_value()};
}

}  // namespace dualmargin::augmented
