// The maximum margin by constraint generation: the problem of few rows is solved exactly, the rows
// that its solution violates most come in, until none is left.
//
//   1   w, b <- solution on the candidates                  (nonnegative.h)
//   2   p = Aw; up to `batch` rows with p_e + b s_e < 1 become candidates
//
// With margins of 1 on the support, w = A'a has |w| = 1 / \bar\gamma and q = a / 1'a.
#pragma once

#include <algorithm>
#include <utility>

#include "hard/nonnegative.h"

namespace dualmargin {

struct ActiveSetOptions {
  Index batch = 50;
};

// start: rows to begin with; none: one of each side.
inline HardSolution active_set(const HardMargin& problem, const ActiveSetOptions& options,
                               std::vector<Index> start, Monitor& monitor) {
  const MarginRows& rows = problem.rows;
  const Index n = problem.n();
  constexpr double tol = 1e-13;  // of a margin of 1
  NonNegativeSolver solver(problem);
  std::vector<bool> known(n, false);
  const auto add = [&](Index e) {
    if (known[e]) return;
    known[e] = true;
    solver.add(e);
    monitor.spend(rows.row_price());
  };
  for (const Index e : start) add(e);
  for (const double side : {1.0, -1.0}) {
    for (Index e = 0; e < n; ++e) {
      if (rows.side(e) == side || rows.side(e) == 0) {
        add(e);
        break;
      }
    }
  }
  HardSolution s;
  s.solver = "active_set";
  BestInterval best(problem, monitor);
  Vec p;
  bool done = false;
  const auto certify = [&] {
    if (s.w.size() == 0) return HardMargin::interval(-1, 1);
    HardSolution now = s;
    now.q = s.c;
    return best.offer(std::move(now));
  };
  while (monitor.proceed(monitor.epoch(), certify, 0) && !done) {
    solver.solve(tol, monitor);
    s.c.setZero(n);
    for (Index k = 0; k < solver.candidates(); ++k) s.c[solver.rows()[k]] = solver.weight(k);
    rows.combine(s.c, s.w, monitor);
    if (!solver.separable()) {
      s.separable = false;
      s.q.setZero(n);
      for (Index k = 0; k < solver.null_combination().size(); ++k) {
        s.q[solver.rows()[k]] = solver.null_combination()[k];
      }
      certify();
      best.best.q = std::move(s.q);
      best.best.separable = false;
      break;
    }
    rows.multiply(s.w, p, monitor);
    monitor.spend(2);
    std::vector<std::pair<double, Index>> violated;
    for (Index e = 0; e < n; ++e) {
      const double margin = p[e] + (problem.free_intercept ? solver.intercept() * rows.side(e) : 0);
      if (!known[e] && margin < 1 - tol) violated.emplace_back(margin, e);
    }
    done = violated.empty();
    const Index count = std::min<Index>(options.batch, static_cast<Index>(violated.size()));
    std::partial_sort(violated.begin(), violated.begin() + count, violated.end());
    for (Index k = 0; k < count; ++k) add(violated[k].second);
    monitor.count_step();
  }
  best.best.solver = "active_set";
  return best.best;
}

}  // namespace dualmargin
