#include "robust/report.h"

namespace dualmargin::robust {
namespace {

// Weights that are zero but for rounding, as an interior point method leaves them, are set to zero
// if the point stays within its tolerance without them.
constexpr double dust = 1e-5;  // of the largest weight, or of one that gives a row a margin of 1

void sweep(const RobustSvm& problem, Report& r, Run& run) {
  if (!run.in_time()) return;
  Solution s = r.solution;
  const double square = problem.mean_square();
  const double of_margin = square > 0 ? 1 / std::sqrt(square) : 0.0;
  const double level = dust * std::max(s.w.lpNorm<Eigen::Infinity>(), of_margin);
  s.w = s.w.unaryExpr([level](double v) { return std::abs(v) <= level ? 0.0 : v; });
  if (s.w == r.solution.w) return;
  s.t = problem.best_t(s.w, problem.scores(s.w, s.b, run));
  const Certificate c = problem.certify(s, run);
  if (!run.within_tolerance(c)) return;
  r.certificate = c;
  r.solution = std::move(s);
}

}  // namespace

Report report(const RobustSvm& problem, Solution s, Run& run) {
  Report r;
  s.t = problem.best_t(s.w, problem.scores(s.w, s.b, run));
  const Certificate c = certify_or_nothing(problem, s, run);
  static_cast<Outcome&>(r) = Outcome(c, s.w.allFinite(), 0, run);
  r.solution = std::move(s);
  if (r.status == Status::certified && run.iterate() == Iterate::best) sweep(problem, r, run);
  if (problem.conditional()) {
    r.norm_limit = problem.norm_limit(r.solution.w);
    if (r.status == Status::certified) r.status = Status::conditional;
  }
  return r;
}

}  // namespace dualmargin::robust
