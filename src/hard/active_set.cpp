// The maximum margin by constraint generation: the problem of few rows is solved exactly, the rows
// that its solution violates most come in, until none is left.
//
//   1   w, b <- solution on the candidates                  (nonnegative.h)
//   2   p = Aw; up to `batch` rows, or a fifth of the support, with p_e + b s_e < 1 come in
//
// With margins of 1 on the support, w = A'a has |w| = 1 / \bar\gamma and q = a / 1'a. Memory is the
// square of the number of candidates: beyond `most` rows of support it gives up.
#include <Eigen/QR>
#include <algorithm>
#include <optional>
#include <utility>

#include "base/rounding.h"
#include "hard/nonnegative.h"
#include "hard/solvers.h"

namespace dualmargin::hard {
namespace {

// The last digits of a q >= 0 with A'q = 0, the proof that no direction separates the rows: what an
// elimination leaves of A'q is several times what the rounding of the sum explains.
//
//   eta = argmin |A'q + A' diag(q) eta|,   q <- max(0, q + q eta)
//
// on the rows with q > 0, by an orthogonal factorisation.
void refine_null(const HardMargin& problem, Vec& q, Tick& tick) {
  const MarginRows& rows = problem.rows;
  const double dust = rounding::of_many * q.maxCoeff();
  q = (q.array() > dust).select(q, 0);
  const std::vector<Index> support = nonzeros(q);
  const Index k = static_cast<Index>(support.size()), dim = rows.dim();
  if (rows.is_kernel() || k < 2) return;
  const double flops = static_cast<double>(dim) * static_cast<double>(k) * static_cast<double>(k);
  if (flops > CostModel::most_flops_of_null) return;
  Mat M = Mat::Zero(dim + problem.free_intercept, k);
  Vec row;
  for (Index r = 0; r < k; ++r) {
    row.setZero(dim);
    rows.add(support[r], q[support[r]], row);
    M.col(r).head(dim) = row;
    if (problem.free_intercept) M(dim, r) = q[support[r]] * rows.side(support[r]);
  }
  // each column of the rows by its own size
  for (Index j = 0; j < M.rows(); ++j) {
    const double size = M.row(j).lpNorm<1>();
    if (size > 0) M.row(j) /= size;
  }
  tick.poll();
  Eigen::CompleteOrthogonalDecomposition<Mat> factor;
  factor.setThreshold(rounding::of_many);  // below lies rounding
  factor.compute(M);
  tick.poll();
  Vec share = Vec::Ones(k), rest = M * share;  // of q
  for (int round = 0; round < 4; ++round) {
    const Vec next = (share - factor.solve(rest)).cwiseMax(0), left = M * next;
    if (!(left.norm() < rest.norm()) || !(next.sum() > 0)) break;
    share = next;
    rest = left;
  }
  for (Index r = 0; r < k; ++r) q[support[r]] *= share[r];
}

}  // namespace

Solution active_set(const HardMargin& problem, const ActiveSetOptions& options, const Vec& q,
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
    constexpr double eps = 1e-15;
    const double limit =
        1 - rounding::of_many - eps * (rows.is_kernel() ? total : std::sqrt(total));
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
