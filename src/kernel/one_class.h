// The one-class support vector machine of B. Scholkopf, J. C. Platt, J. Shawe-Taylor, A. J. Smola
// and R. C. Williamson (2001), Estimating the Support of a High-Dimensional Distribution, Neural
// Computation 13, 1443-1471, doi:10.1162/089976601750264965, with weights: u_i = omega_i / (nu W),
//
//   P(f, rho) = 1/2 |f|_H^2 - rho + sum_i u_i max(0, rho - f(x_i))
//   D(a)      = -1/2 a'K a   over   0 <= a_i <= u_i,  sum_i a_i = 1
//
// At f = sum_i a_i k(x_i, .) and the best rho, the gap P - D is a sum of terms none of which is
// negative,
//
//   sum_{f_i > rho} a_i (f_i - rho) + sum_{f_i < rho} (u_i - a_i) (rho - f_i).
//
// SMO of smo.h, in pairs that leave sum_i a_i as it is.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "base/rounding.h"
#include "kernel/smo.h"
#include "run/outcome.h"
#include "space/function_space.h"

namespace dualmargin::kernel {

struct OneClassSolution {
  Vec a, f;
  double rho = 0;
};

struct OneClassReport : Outcome {
  NegativeSquare negative;
  OneClassSolution solution;
};

class OneClassProblem {
 public:
  // u: the most that each a_i can be; their sum is at least 1.
  OneClassProblem(const Gram& working, const Gram& exact, const KernelSize& size, const Vec& u)
      : working_(working), exact_(exact), size_(size), u_(u) {}

  Index n() const { return u_.size(); }
  const Gram& working() const { return working_; }
  const Gram& exact() const { return exact_; }
  const Vec& u() const { return u_; }
  const NegativeSquare& negative() const { return negative_; }
  // P(0, 0): no optimum is above it. Where it is the optimum the relative gap has no unit: a bound
  // that is not 0 itself is as far from the value as both are from 0, and nothing is certified.
  double null_value() const { return 0; }

  // From the definitions, at exact kernel values.
  Certificate certify(OneClassSolution& s, Tick& tick) const {
    s.f = exact_.multiply(s.a, tick);
    return estimate(s);
  }
  Certificate estimate(OneClassSolution& s) const {
    s.rho = best_rho(s.f);
    const Vec errors = rounding_of_scores(s.a);
    Sum losses, gaps, total, squares;
    double rounding = 0;
    for (Index i = 0; i < n(); ++i) {
      const double over = s.f[i] - s.rho;
      losses.add(u_[i] * std::max(0.0, -over));
      gaps.add(over > 0 ? s.a[i] * over : (s.a[i] - u_[i]) * over);
      rounding += errors[i] * (s.a[i] + (over <= errors[i] ? u_[i] : 0.0));
      total.add(s.a[i]);
      squares.add(s.a[i] * s.f[i]);
    }
    const double loss = losses.value(), gap = gaps.value(), sum = total.value();
    const Square length{squares.value(), errors.dot(s.a)};
    if (!length.possible()) {
      if (size_.given) negative_.tell(length.computed, s.a);
      return Certificate(std::nan(""), std::nan(""));
    }
    const double square = length.value(), value = 0.5 * square - s.rho + loss;
    // What is missing from sum a = 1 moves the bound by that times the rho of the optimum, which is
    // at most |f*| times the longest row.
    const double apart = std::abs(sum - 1) + rounding::of_accurate_sum() * sum;
    rounding += 2 * apart * std::sqrt(2 * (square + gap)) * size_.scale.maxCoeff();
    return Certificate(value, gap,
                       rounding + Certificate::rounding_of(square + std::abs(s.rho) + loss));
  }

  // For a value above 0, that of nothing: the best multiple t < 1 of (f, rho), against the same a.
  // c: of s, whose a becomes the coefficients t a, no longer a dual point.
  //
  //   P(t f, t rho) = t^2/2 |f|^2 - t m,  m = rho - sum_i u_i max(0, rho - f_i)
  Certificate shrink(OneClassSolution& s, const Certificate& c) const {
    const double square = s.a.dot(s.f), m = 0.5 * square - c.value;
    if (!std::isfinite(c.value) || !(m < square)) return c;
    const double t = m > 0 ? m / square : 0.0, value = t * (0.5 * t * square - m);
    s.a *= t;
    s.f *= t;
    s.rho *= t;
    return Certificate(value, value + 0.5 * square, c.rounding);
  }

 private:
  // The smallest score with sum u >= 1 over the rows up to it: there P does not fall either way.
  double best_rho(const Vec& f) const {
    if (!f.allFinite()) return std::numeric_limits<double>::quiet_NaN();  // no order
    std::vector<Index> order;
    for (Index i = 0; i < n(); ++i) {
      if (u_[i] > 0) order.push_back(i);
    }
    std::sort(order.begin(), order.end(), [&](Index i, Index j) { return f[i] < f[j]; });
    Sum sum;
    for (const Index i : order) {
      sum.add(u_[i]);
      if (sum.value() >= 1 - 1e-12) return f[i];
    }
    return order.empty() ? 0.0 : f[order.back()];
  }
  // |e_i| <= u \sum_j (error_i + error_j + k) scale_i scale_j a_j, as in function_space.h,
  // and |E a|_i <= scale_i allowance |S a| of what the kernel may lack.
  Vec rounding_of_scores(const Vec& a) const {
    const double k = 4 + exact_.additions(), sum = size_.scale.dot(a),
                 errors = size_.scale.cwiseProduct(size_.error).dot(a);
    const double lack = size_.allowance * size_.scale.cwiseProduct(a).norm();
    return size_.scale.array() *
           (rounding::unit * ((size_.error.array() + k) * sum + errors) + lack);
  }

  Gram working_, exact_;
  const KernelSize& size_;
  Vec u_;
  mutable NegativeSquare negative_;
};

class OneClassBoxes : public Boxes {
 public:
  OneClassBoxes(const OneClassProblem& problem, Tick& tick)
      : Boxes(problem.working(), true), problem_(problem) {
    double left = 1;
    for (Index i = 0; i < problem.n(); ++i) {
      const double u = problem.u()[i];
      if (!(u > 0)) continue;
      const double a = std::min(u, left);
      left -= a;
      add_box({i, 0, 0, u, a});
    }
    begin(tick);
    solution_.a = coefficients();
  }

  bool proceed(Run& run) {
    solution_.a = coefficients();
    solution_.f = scores();
    const auto estimate = [&] { return problem_.estimate(solution_); };
    const auto certify = [&] {
      const Certificate c = problem_.certify(solution_, run);
      refuted_ = !run.within_tolerance(c);
      renew(solution_.f);
      return c;
    };
    return run.proceed(estimate, certify, 0);
  }
  bool refuted() const { return refuted_; }
  const OneClassSolution& solution() const { return solution_; }

 private:
  const OneClassProblem& problem_;
  OneClassSolution solution_;
  bool refuted_ = false;
};

inline OneClassReport one_class(const OneClassProblem& problem, const SmoOptions& options,
                                Run& run) {
  OneClassBoxes boxes(problem, run);
  maximize(boxes, problem.working(), problem.exact(), options, run);
  OneClassReport r;
  r.solution = boxes.solution();
  Certificate c = problem.certify(r.solution, run);
  if (!run.within_tolerance(c) && c.value > 0) c = problem.shrink(r.solution, c);
  static_cast<Outcome&>(r) = Outcome(c, r.solution.f.allFinite(), 0, run);
  r.negative = problem.negative();
  return r;
}

}  // namespace dualmargin::kernel
