#include "kernel/kernel_problem.h"

#include <algorithm>
#include <utility>

#include "run/outcome.h"

namespace dualmargin::kernel {

std::array<double, 2> ScalarLosses::along(const Vec& z, const Vec& dz) const {
  Slopes at;
  dual_steps(z, 0, rest(), 0, at);
  return mean_over([&](Index i) {
    const double weighted = omega[i] * dz[i];
    return std::array<double, 2>{weighted * at.slope[i], weighted * at.curvature[i] * dz[i]};
  });
}

Vec ScalarLosses::slopes(const Vec& z) const { return RowLosses::slopes(z).local(); }

double ScalarLosses::unbalanced(const FenchelSums& sums, double b, double) const {
  if (b == 0) return 0;
  return std::abs(b) * (std::abs(sums.slopes) + rounding::of_value() * sums.slope_size);
}

template <class L>
auto ProblemOf<L>::dual_or_rest(const Array& a) const -> Array {
  Array rest = losses.rest();
  return a.size() == rest.size() ? a : rest;
}

template <class L>
auto ProblemOf<L>::coefficients(const Dual& dual) const -> Array {
  return space.coefficients(dual.a - losses.rest());
}

template <class L>
Certificate ProblemOf<L>::certify(Primal& primal, Dual& dual, Tick& tick) const {
  losses.balance(dual.a);
  const Array own = coefficients(dual);
  const Array& beta = primal.beta.size() > 0 ? primal.beta : own;
  primal.f = space.exact_scores(beta, tick);
  if (!space.squares(beta, primal.f)) return Certificate(std::nan(""), std::nan(""));
  const double apart = &beta == &own ? 0.0 : space.gap(space.exact(), beta - own, tick);
  return certificate_of(primal, dual, own, beta, apart);
}

template <class L>
auto ProblemOf<L>::with_nothing(Solution s, bool primal, bool dual) const -> Solution {
  const Array rest = losses.rest();
  if (primal) {
    s.f = s.beta = Array::Zero(rest.rows(), rest.cols());
    s.b = losses.best_intercept(s.f, {});
  } else if (s.beta.size() == 0) {
    s.beta = coefficients(s);
  }
  if (dual) s.a = rest;
  return s;
}

template <class L>
Certificate ProblemOf<L>::estimate(Primal& primal, Dual& dual, Tick& tick) const {
  const bool carried = primal.beta.size() == 0;
  const Array before = carried ? coefficients(dual) : primal.beta;
  losses.balance(dual.a);
  const Array own = coefficients(dual), rest = before - own;
  const double apart = carried ? space.largest_gap(rest) : space.gap(x(), rest, tick);
  return certificate_of(primal, dual, own, before, apart);
}

template <class L>
Certificate ProblemOf<L>::certificate_of(Primal& primal, const Dual& dual, const Array& own,
                                         const Array& beta, double apart) const {
  if (primal.beta.size() == 0) primal.b = losses.best_intercept(primal.f, primal.b);
  const FenchelSums sums = losses.fenchel(raised(primal.f, primal.b), dual.a, 1);
  const double value = sums.value + space.value(beta, primal.f), gap = sums.gap + apart;
  double rounding =
      apart == 0 ? space.rounding(own) : space.rounding(beta.cwiseAbs() + own.cwiseAbs());
  // of the terms of the sums, and of \sum \omega_i a_i = 0
  const double scores = static_cast<double>(primal.f.size()) / static_cast<double>(losses.n());
  rounding += Certificate::rounding_of(value) + rounding::of_term(scores) * sums.size;
  rounding += losses.unbalanced(sums, primal.b, space.mean_square() / space.lambda());
  const Certificate c(value, gap, rounding);
  if (seen != nullptr) seen->offer(primal.b, dual, c);
  return c;
}

template struct ProblemOf<ScalarLosses>;
template struct ProblemOf<SoftmaxLosses>;

double feasible(const RowLosses& losses, Index i, double t) {
  constexpr double far = 1e300;
  const auto end = [&](double z) { return losses.loss.slope(z, losses.y[i]); };
  return std::clamp(t, end(-far), end(far));
}

namespace {

// Certified by exact kernel values, with the coefficients of the function.
template <class Report, class Problem, class Solution>
Report certified(const Problem& problem, Solution s, bool finite, Run& run) {
  Report r;
  const Certificate c = certify_or_nothing(problem, s, run);
  const double floor = problem.space.rounding_floor(c.value);
  static_cast<Outcome&>(r) = Outcome(c, finite && s.f.allFinite(), floor, run);
  r.negative = problem.space.negative();
  r.beta = s.beta.size() > 0 ? s.beta : problem.coefficients(s);
  r.solution = std::move(s);
  return r;
}

}  // namespace

KernelReport report(const KernelProblem& problem, Solution s, Run& run) {
  const bool finite = s.a.allFinite();
  KernelReport r = certified<KernelReport>(problem, std::move(s), finite, run);
  r.intercept = r.solution.b + problem.x().constant() * r.beta.sum();
  return r;
}

SoftmaxReport report(const SoftmaxProblem& problem, SoftmaxSolution s, Run& run) {
  const bool finite = s.a.allFinite();
  SoftmaxReport r = certified<SoftmaxReport>(problem, std::move(s), finite, run);
  r.dual = r.solution.a - problem.losses.share;
  r.intercept = r.solution.b + problem.x().constant() * r.beta.colwise().sum().transpose();
  return r;
}

}  // namespace dualmargin::kernel
