// What leaves the robust family: the returned point with its certificate recomputed from the
// definitions, and how the run ended.
#pragma once

#include "robust/robust_svm.h"
#include "run/outcome.h"

namespace dualmargin::robust {

struct RobustReport : Outcome {
  RobustPoint solution;
  Vec scores;
  // The bound holds for |w|_q up to this; infinite but for radius = 0 without ridge.
  double norm_limit = HUGE_VAL;
};

// Weights that are zero but for rounding, as an interior point method leaves them, are set to zero
// if the point stays within its tolerance without them.
constexpr double dust = 1e-5;  // of the largest weight, or of one that gives a row a margin of 1

template <class Data>
void sweep(const RobustSvm<Data>& problem, RobustReport& r, Run& run) {
  if (!run.in_time()) return;
  RobustPoint s = r.solution;
  const double squares =
      sum_over(problem.n(), [&](Index i) { return problem.share(i) * problem.x.squared_norm(i); });
  const double of_margin = squares > 0 ? 1 / std::sqrt(squares) : 0.0;
  const double level = dust * std::max(norm(Norm::linf, s.w), of_margin);
  s.w = s.w.unaryExpr([level](double v) { return std::abs(v) <= level ? 0.0 : v; });
  if (s.w == r.solution.w) return;
  s.t = problem.best_t(s.w, problem.scores(s.w, s.b, run));
  Vec scores;
  const Certificate c = problem.certify(s, scores, run);
  if (!run.within_tolerance(c)) return;
  r.certificate = c;
  r.scores = std::move(scores);
  r.solution = std::move(s);
}

template <class Data>
RobustReport report(const RobustSvm<Data>& problem, RobustPoint s, Run& run) {
  RobustReport r;
  s.t = problem.best_t(s.w, problem.scores(s.w, s.b, run));
  const Certificate c = problem.certify(s, r.scores, run);
  static_cast<Outcome&>(r) = Outcome(c, s.w.allFinite(), 0, run);
  r.solution = std::move(s);
  if (r.status == Status::certified) sweep(problem, r, run);
  if (problem.conditional()) {
    r.norm_limit = problem.norm_limit(r.solution.w);
    if (r.status == Status::certified) r.status = Status::conditional;
  }
  return r;
}

}  // namespace dualmargin::robust
