// The maximum margin by constraint generation: the problem of few rows is solved exactly, the rows
// that its solution violates most come in, until none is left.
//
//   1   w, b <- solution on the candidates                  (nonnegative.h)
//   2   p = Aw; up to `batch` rows, or a fifth of the support, with p_e + b s_e < 1 come in
//
// With margins of 1 on the support, w = A'a has |w| = 1 / \bar\gamma and q = a / 1'a. Memory is the
// square of the number of candidates: beyond `most` rows of support it gives up.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "hard/cost_model.h"
#include "hard/nonnegative.h"
#include "hard/null_combination.h"
#include "run/run.h"

namespace dualmargin::hard {

struct ActiveSetOptions {
  Index batch = CostModel::batch, most = CostModel::most_support;
};

// q: in the simplex, to begin with; empty: one row of each side.
inline Solution active_set(const HardMargin& problem, const ActiveSetOptions& options, const Vec& q,
                           Run& run) {
  const MarginRows& rows = problem.rows;
  const Index n = problem.n();
  NonNegativeSolver solver(problem, run);
  std::vector<bool> known(n, false);
  const auto add = [&](Index e, double weight = 0) {
    if (known[e]) return;
    known[e] = true;
    solver.add(e, weight);
  };
  for (const Index e : nonzeros(q)) {
    if (run.tick().poll()) add(e, q[e]);
  }
  for (const Index e : nonzeros(problem.one_of_each_side())) add(e);
  Solution s;
  Best best;
  Vec p;
  bool done = false;
  const auto certify = [&]() -> std::optional<Certificate> {
    if (s.w.size() == 0) return std::nullopt;  // there is no point before the first step
    return problem.offer(best, s, run, p);
  };
  while (run.proceed(certify, 0) && !done) {
    solver.solve();
    s.c = solver.weights();
    s.q = solver.separable() ? s.c : solver.null_combination();
    rows.combine(s.c, s.w, run);
    rows.multiply(s.w, p, run);
    run.spend(solver.take_work() + problem.certificate_price(solver.support()));
    run.count_step();
    if (!solver.separable()) {
      certify();
      Solution none = best.solution("active_set");
      none.q = std::move(s.q);
      refine_null(problem, none.q, run);
      none.high = problem.upper(none, run);
      none.separable = false;
      none.finished = true;
      return none;
    }
    // rounding: an eps of |w| = 1 / \bar\gamma, of its square where rows are known by products
    const double total = s.c.sum();
    const double limit = 1 - 1e-13 - 1e-15 * (rows.is_kernel() ? total : std::sqrt(total));
    std::vector<std::pair<double, Index>> violated;
    for (Index e = 0; e < n; ++e) {
      const double margin = p[e] + (problem.free_intercept ? solver.intercept() * rows.side(e) : 0);
      if (!known[e] && margin < limit) violated.emplace_back(margin, e);
    }
    done = violated.empty() || solver.support() > options.most;
    const Index count = std::min<Index>(std::max(options.batch, solver.support() / 5),
                                        static_cast<Index>(violated.size()));
    std::partial_sort(violated.begin(), violated.begin() + count, violated.end());
    for (Index k = 0; k < count && !done && run.tick().poll(); ++k) add(violated[k].second);
  }
  Solution reached = best.solution("active_set");
  reached.finished = solver.support() <= options.most;
  return reached;
}

}  // namespace dualmargin::hard
