#include "kernel/one_class.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "base/rounding.h"
#include "kernel/boxes.h"

namespace dualmargin::kernel {

double best_rho(const Vec& f, const Vec& u) {
  if (!f.allFinite()) return std::numeric_limits<double>::quiet_NaN();  // no order
  std::vector<Index> order;
  for (Index i = 0; i < u.size(); ++i) {
    if (u[i] > 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](Index i, Index j) { return f[i] < f[j]; });
  Sum sum;
  for (const Index i : order) {
    sum.add(u[i]);
    if (sum.value() >= 1 - rounding::of_order) return f[i];
  }
  return order.empty() ? 0.0 : f[order.back()];
}

Certificate OneClassProblem::certify(OneClassSolution& s, Tick& tick) const {
  s.f = space.exact_scores(s.a, tick);
  return estimate(s);
}

Certificate OneClassProblem::estimate(OneClassSolution& s) const {
  if (!space.squares(s.a, s.f)) return Certificate(std::nan(""), std::nan(""));
  s.rho = best_rho(s.f, u);
  const Vec errors = space.rounding_of_scores(s.a);
  const Square length = space.square(s.a, s.f);
  // a kernel of this package has no a'Ka < 0 but by rounding; one that has is no number
  if (!length.possible()) return Certificate(std::nan(""), std::nan(""));
  s.square = length.value();
  Sum losses, gaps, total;
  double rounding = 0;
  for (Index i = 0; i < n(); ++i) {
    const double over = s.f[i] - s.rho;
    losses.add(u[i] * std::max(0.0, -over));
    gaps.add(over > 0 ? s.a[i] * over : (s.a[i] - u[i]) * over);
    rounding += errors[i] * (s.a[i] + (over <= errors[i] ? u[i] : 0.0));
    total.add(s.a[i]);
  }
  const double loss = losses.value(), gap = gaps.value(), sum = total.value();
  const double value = 0.5 * s.square - s.rho + loss;
  // What is missing from sum a = 1 moves the bound by that times the rho of the optimum, which is
  // at most |f*| times the longest row.
  const double apart = std::abs(sum - 1) + rounding::of_accurate_sum() * sum;
  rounding += 2 * apart * std::sqrt(2 * (s.square + gap)) * space.longest();
  const Certificate c(value, gap,
                      rounding + Certificate::rounding_of(s.square + std::abs(s.rho) + loss));
  if (seen != nullptr) seen->offer(s.rho, s.a, c);
  return c;
}

double OneClassProblem::best_multiple(const OneClassSolution& s, const Certificate& c) const {
  const double m = 0.5 * s.square - c.value;
  return std::isfinite(c.value) && m < s.square ? (m > 0 ? m / s.square : 0.0) : 1.0;
}

namespace {

class OneClassBoxes : public Boxes {
 public:
  // From the a of another nu, as far as it is feasible; what that leaves of 1 goes to the first rows.
  OneClassBoxes(const OneClassProblem& problem, const OneClassSolution& start, Tick& tick)
      : Boxes(problem.space.working(), true), problem_(problem) {
    Vec a = Vec::Zero(problem.n());
    if (start.a.size() == problem.n()) a = start.a.cwiseMax(0.0).cwiseMin(problem.u);
    const double given = accurate_sum(a.size(), [&](Index i) { return a[i]; });
    if (given > 1) a /= given;
    double left = std::max(0.0, 1 - given);
    for (Index i = 0; i < problem.n(); ++i) {
      const double u = problem.u[i];
      if (!(u > 0)) continue;
      const double added = std::min(u - a[i], left);
      left -= added;
      add_box({i, 0, 0, u, a[i] + added});
    }
    begin(tick);
    solution_.a = coefficients();
  }

  bool proceed(Run& run) override {
    solution_.a = coefficients();
    solution_.f = scores();
    const auto estimate = [&] { return problem_.estimate(solution_); };
    const auto certify = [&] {
      const Certificate c = problem_.certify(solution_, run);
      refute(!run.within_tolerance(c));
      renew(solution_.f);
      return c;
    };
    return run.proceed(estimate, certify, 0);
  }
  const OneClassSolution& solution() const { return solution_; }

 private:
  const OneClassProblem& problem_;
  OneClassSolution solution_;
};

}  // namespace

OneClassSolution smo(const OneClassProblem& problem, const SmoOptions& options,
                     const OneClassSolution& start, Run& run) {
  OneClassBoxes boxes(problem, start, run);
  maximize(boxes, problem.space.working(), problem.space.exact(), options, run);
  return boxes.solution();
}

OneClassReport report(const OneClassProblem& problem, OneClassSolution s, Run& run) {
  OneClassReport r;
  Certificate c = problem.certify(s, run);
  double t = 1;
  if (!run.within_tolerance(c) && c.value > 0) t = problem.best_multiple(s, c);
  r.beta = s.a;
  if (t < 1) {
    const double m = 0.5 * s.square - c.value, value = t * (0.5 * t * s.square - m);
    c = Certificate(value, value + 0.5 * s.square, c.rounding);
    r.beta *= t;
    s.f *= t;
    s.rho *= t;
    s.square *= t * t;
  }
  static_cast<Outcome&>(r) = Outcome(c, s.f.allFinite(), 0, run);
  r.negative = problem.space.negative();
  r.solution = std::move(s);
  return r;
}

}  // namespace dualmargin::kernel
