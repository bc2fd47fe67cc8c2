#include "augmented/rounding.h"

#include <algorithm>
#include <cmath>

namespace dualmargin::augmented {

GradientBound::GradientBound(double value_, double subopt, double rounding_of_subopt,
                             double of_value, double rounding_of_value)
    : Certificate(value_, subopt + of_value, rounding_of_subopt + rounding_of_value),
      suboptimality(subopt + rounding_of_subopt),
      value_error(of_value + rounding_of_value),
      value_rounding(rounding_of_value) {
  if (!std::isfinite(bound)) drop_bound();
}

void GradientBound::raise_bound(double least) {
  if (!std::isfinite(value) || value < least || bound >= least) return;
  const double above = value - least;
  suboptimality = std::min(suboptimality, above + value_error);
  const double raised = std::max(above, std::min(suboptimality, above + value_rounding));
  // of another point's bound the rounding of this value is taken off, as of its own
  gap = least > 0 ? std::min(gap, raised) : raised;
  bound = least > 0 ? value - gap : least;
}

void GradientBound::drop_bound() {
  Certificate::drop_bound();
  suboptimality = HUGE_VAL;
}

Rounding::Rounding(const ExpectedErm& problem, const Vec& w, double additions)
    : problem_(problem),
      w_(w),
      value_(problem.penalty.value(w)),
      gradient_((problem.penalty.l2 * w.cwiseAbs()).array() + problem.penalty.l1) {
  of_score_ = rounding::of_score(problem.rows.longest_row() + of_perturbation);
  of_sums_ = rounding::of(additions + of_perturbation) + of_score_;
}

void Rounding::add(double value, const Vec& sizes) {
  value_ += value;
  gradient_ += sizes;
}

double Rounding::of_gap(const Vec& g) const {
  const Vec e = of_sums_ * gradient_;
  return bounded(e.dot(2 * g.cwiseAbs() + e) / (2 * problem_.penalty.l2));
}

double Rounding::of_gap(double square) const {
  const double e = of_sums_ * gradient_.norm();
  return bounded(e * (2 * std::sqrt(square) + e) / (2 * problem_.penalty.l2));
}

GradientBound known_certificate(const ExpectedErm& problem, const Vec& w, double value,
                                const Vec& g, Tick& tick) {
  const Rows& rows = problem.rows;
  const Moments noise = problem.perturbation.moments();
  const double gamma = problem.loss->gamma(), tau = std::sqrt(noise.added) * w.norm();
  Rounding rounding(problem, w, rows.additions());
  Vec values(rows.n());
  Vec sizes = rows.column_sums(
      [&](Index i, Vec& u) {
        const double z = rows.dot(i, w), y = rows.y[i];
        const double slope = std::abs(problem.loss->slope(z, y)) + tau / gamma;
        values[i] = rounding.row(
            i, problem.loss->value(z, y), slope, tau, [&](auto f) { rows.for_each(i, f); }, u);
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
