// Block coordinate ascent of the dual of a problem of all classes: the k dual variables of one row
// at a time, maximised exactly. For the Crammer-Singer loss S. S. Keerthi, S. Sundararajan, K.-W.
// Chang, C.-J. Hsieh and C.-J. Lin (2008), A sequential dual method for large scale multi-class
// linear SVMs, KDD, 408-416; for the multinomial logistic loss S. Shalev-Shwartz and T. Zhang
// (2016), Mathematical Programming 155, 105-145, section 5, who take a step of fixed length.
//
//   max_u  D(u),  D as in problem.h
//
//   u   dual point           w   -v / \lambda, a column for each coordinate of x, kept in step
//
// The constraint of free intercepts, d = \frac1W \sum_i \omega_i a_i = 0, couples the rows. It goes
// into an augmented Lagrangian, D(u) + c^\top d - \frac r{2\lambda} |d|^2, with the multipliers
// moved to  c - \frac r\lambda d  after every epoch (R. T. Rockafellar (1976), Augmented
// Lagrangians and applications of the proximal point algorithm in convex programming, Mathematics
// of Operations Research 1, 97-116). In u that is one more coordinate of every row, of square r:
//
//   b   c - \frac r\lambda d, the intercepts, kept in step; where c moves to b, b moves by b - c
//
// With the other rows as they are, row i has the step  argmax_s  s^\top z_i - \phi^*(s - e_{y_i})
// - \frac{q_i}2 |s - u_i|^2  over the simplex,  q_i = \omega_i (|x_i|^2 + r) / (W \lambda).
//
//   idle_i   how often in a row a visit left u_i where it was. At `patience` the row is skipped until
//            the next full epoch.
//
// differs: shrinks whole rows, by steps that change nothing; the gap over all rows stops.
#include <algorithm>
#include <numeric>
#include <vector>

#include "linear/joint_solvers.h"

namespace dualmargin::linear {

JointSolution joint_dual_cd(const JointProblem& problem, bool shrink, const JointSolution& start,
                            Sampler& sampler, Run& run) {
  constexpr int patience = 3, full_every = 5;
  const Index n = problem.n(), k = problem.losses.classes();
  const double lambda = problem.penalty.l2;
  JointSolution s = problem.begin(start, "dual_cd");
  if (s.a.width() != k || s.a.size() != n) s.a = problem.losses.rest();
  Mat w = -problem.dual_sum(s.a, run).transpose() / lambda;
  const RowVec& squares = problem.rows.squared_norms();
  // r: of 3843 columns of text, scaled and not, .01 to .1 of the mean square took 45 to 80 epochs,
  // .001 and 1 up to 320
  const double mean_square =
      problem.rows.sum([&](Index i) { return problem.rows.share(i) * squares[i]; });
  const double r = !problem.losses.free_intercept ? 0.0
                   : mean_square > 0              ? 0.03 * mean_square
                                                  : 1.0;
  Vec centre = s.b;
  s.b -= r / lambda * problem.losses.drift(s.a);
  std::vector<int> idle(n, 0);
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  Vec z(k), u(k), change(k);
  JointBest best;
  const auto certify = [&] {
    s.w = -problem.dual_sum(s.a, run) / lambda;
    JointSolution balanced = s;  // a itself stays in step with w and b
    const Certificate c = problem.certify(balanced, run);
    best.offer_primal(balanced, c.value);
    best.offer_dual(balanced, c.bound);
    return c;
  };
  // the dual value rises in every epoch, the gap need not fall
  run.be_patient(0.9);

  Index visited = n;
  for (long epoch = 0; run.proceed(certify, 1); ++epoch) {
    const bool full = !shrink || epoch < 2 || epoch % full_every == 0 || visited == 0;
    sampler.shuffle(order);
    if (r > 0 && epoch > 0) {
      const Vec moved = s.b - centre;
      centre = s.b;
      s.b += moved;
    }
    visited = 0;
    for (const Index i : order) {
      if (!full && idle[i] >= patience) continue;
      const double share = problem.rows.share(i);
      z = s.b;
      problem.rows.for_each(i, [&](Index j, double x) { z += x * w.col(j); });
      u = s.a[i];
      problem.losses.loss.dual_step(z.data(), problem.losses.y[i],
                                    share * (squares[i] + r) / lambda, u.data());
      change = (share / lambda) * (s.a[i] - u);
      idle[i] = change.isZero(0) ? std::min(idle[i] + 1, patience) : 0;
      s.a[i] = u;
      s.b += r * change;
      if (idle[i] == 0) {
        problem.rows.for_each(i, [&](Index j, double x) { w.col(j) += x * change; });
      }
      run.tick().row(visited++);
    }
    run.spend(static_cast<double>(visited) / static_cast<double>(n));
    run.count_step();
  }
  return best_of(problem, best, std::move(s), run);
}

}  // namespace dualmargin::linear
