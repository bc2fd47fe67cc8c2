#include "linear/report.h"

#include "run/nothing.h"

namespace dualmargin::linear {

double rounding_floor(const LinearProblem& problem, double value) {
  const RowVec& norms = problem.rows.squared_norms();
  const double largest = std::max(
      0.0, problem.rows.max([&](Index i) { return problem.rows.weights[i] > 0 ? norms[i] : 0.0; }));
  const double lambda = problem.penalty.l1 + problem.penalty.l2;
  return value > 0 ? 4e-32 * largest / (2 * lambda * value) : 0.0;
}

Report report(const LinearProblem& problem, Solution s, Run& run) {
  Report r;
  const Certificate c = certify_or_nothing(problem, s, run);
  static_cast<Outcome&>(r) = Outcome(c, s.w.allFinite(), rounding_floor(problem, c.value), run);
  r.scores = problem.scored(s, run).z;
  r.solution = std::move(s);
  return r;
}

}  // namespace dualmargin::linear
