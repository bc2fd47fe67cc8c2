// Sequential minimal optimisation of the dual: two rows exchange weight at a time.
// J. C. Platt (1999), Fast Training of Support Vector Machines using Sequential Minimal
// Optimization, MIT Press, 185-208; the second row by R.-E. Fan, P.-H. Chen and C.-J. Lin (2005),
// JMLR 6, 1889-1918; pairs on the simplex as in B. F. Mitchell, V. F. Dem'yanov and
// V. N. Malozemov (1974), SIAM Journal on Control 12, 19-26, doi:10.1137/0312003.
//
//   min_q  1/2 |A'q|^2,   q in the simplex;   p = A A'q
//   i = argmin_e p_e,   j with q_j > 0 and the largest (p_j - p_i)^2 / |a_i - a_j|^2,
//   q_i <- q_i + d,  q_j <- q_j - d,   d = min(q_j, (p_j - p_i) / |a_i - a_j|^2)
//
// Where the intercept is free the sides have half of the weight each, pairs are within one of them,
// and the side whose largest difference is larger is served.
//
// It has nothing in common with the kernel family's method of this name: there weights have upper
// limits and a step changes a sum over labels, here they lie in a simplex, and with several classes
// the column of one example serves all of its rows.
#include <algorithm>

#include "algebra/lru_cache.h"
#include "hard/solvers.h"

namespace dualmargin::hard {

namespace {

struct ViolatingPair {
  Index low = -1, high = -1;  // the smallest p, the largest p of those with q > 0
  double difference = 0;
};

// The most violating pair of each side, or of the whole simplex. support: the rows with q > 0.
ViolatingPair most_violating(const HardMargin& problem, const Vec& p,
                             const std::vector<Index>& support) {
  ViolatingPair worst;
  for (const double side : {1.0, -1.0}) {
    const auto counts = [&](Index e) {
      return !problem.free_intercept || problem.rows.side(e) == side;
    };
    ViolatingPair found;
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (Index e = 0; e < p.size(); ++e) {
      if (p[e] < least && counts(e)) {
        least = p[e];
        found.low = e;
      }
    }
    for (const Index e : support) {
      if (p[e] > most && counts(e)) {
        most = p[e];
        found.high = e;
      }
    }
    found.difference = most - least;
    if (found.high >= 0 && found.difference > worst.difference) worst = found;
    if (!problem.free_intercept) break;
  }
  return worst;
}

}  // namespace

Solution smo(const HardMargin& problem, double cache_bytes, Vec q, Run& run) {
  const MarginRows& rows = problem.rows;
  // the work of a step beside its columns
  const double step_price = std::min(1.0, 2 / static_cast<double>(rows.dim()));
  LruCache cache(rows.examples(), rows.examples(), cache_bytes, 2);
  Vec p, column_i, column_j;  // p = A A'q
  if (q.size() == 0 || !problem.normalise(q)) {
    q = problem.one_of_each_side();
    problem.normalise(q);
  }
  std::vector<Index> support = nonzeros(q);
  bool stuck = false;
  Best best(run.iterate());
  // out = A a_e, of the products of its example
  const auto column = [&](Index e, Vec& out) {
    const Index i = rows.example(e);
    const Vec& products = cache.get(i, [&](Vec& made) {
      rows.products(i, made, run);
      run.spend(rows.column_price());
    });
    rows.column(e, products, out);
  };
  const auto certify = [&] { return problem.offer(best, q, q, p, run); };
  certify();
  run.be_patient(2);  // long flat stretches come before it falls again
  const auto price = [&] { return stuck ? 0 : problem.certificate_price(support.size()); };
  while (run.proceed(certify, price()) && !stuck) {
    const ViolatingPair worst = most_violating(problem, p, support);
    stuck = worst.high < 0;
    if (stuck) continue;
    const Index i = worst.low;
    column(i, column_i);
    run.spend(step_price);
    Index j = worst.high;
    double gain = 0, curvature = 0;
    for (const Index e : support) {
      if (!(p[e] > p[i])) continue;
      if (problem.free_intercept && rows.side(e) != rows.side(i)) continue;
      const double lengths = rows.squared_norm(i) + rows.squared_norm(e);
      constexpr double least = 1e-15;  // of rows of length 1 at most that are equal
      const double square = std::max(lengths - 2 * column_i[e], least);
      const double difference = p[e] - p[i];
      if (difference * difference > gain * square) {
        gain = difference * difference / square;
        curvature = square;
        j = e;
      }
    }
    column(j, column_j);
    const double wanted = (p[j] - p[i]) / curvature;
    const double step = std::min(wanted, q[j]);
    if (q[i] == 0) support.push_back(i);
    q[i] += step;
    q[j] = wanted >= q[j] ? 0.0 : q[j] - step;
    if (q[j] == 0) support.erase(std::find(support.begin(), support.end(), j));
    p += step * (column_i - column_j);
    run.count_step();
  }
  return best.solution("smo");
}

}  // namespace dualmargin::hard
