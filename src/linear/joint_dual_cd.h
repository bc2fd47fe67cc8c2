// Block coordinate ascent of the dual of a problem of all classes: the k dual variables of one row
// at a time, maximised exactly. For the Crammer-Singer loss S. S. Keerthi, S. Sundararajan, K.-W.
// Chang, C.-J. Hsieh and C.-J. Lin (2008), A sequential dual method for large scale multi-class
// linear SVMs, KDD, 408-416; for the multinomial logistic loss S. Shalev-Shwartz and T. Zhang
// (2016), Mathematical Programming 155, 105-145, section 5, who take a step of fixed length.
//
//   max_u  D(u),  D as in joint_problem.h without free intercepts, whose constraint couples rows
//
//   u   dual point           w   -v / \lambda, a column for each coordinate of x, kept in step
//
// With the other rows as they are, row i has the step  argmax_s  s^\top z_i - \phi^*(s - e_{y_i})
// - \frac{q_i}2 |s - u_i|^2  over the simplex,  q_i = \omega_i |x_i|^2 / (W \lambda).
//
//   idle_i   how often in a row a visit left u_i where it was, as in dual_cd.h
//
// differs: shrinks whole rows, by steps that change nothing; the gap over all rows stops.
#pragma once

#include <numeric>
#include <vector>

#include "linear/joint_problem.h"
#include "run/sampler.h"

namespace dualmargin::linear {

template <class Problem>
JointSolution joint_dual_cd(const Problem& problem, bool shrink, const JointSolution& start,
                            Sampler& sampler, Run& run) {
  constexpr int patience = 3, full_every = 5;
  const Index n = problem.n(), k = problem.classes;
  const double lambda = problem.lambda;
  auto phi = problem.loss();
  JointSolution s = problem.begin(start, "dual_cd");
  if (s.u.rows() != k || s.u.cols() != n) {
    s.u = Mat::Zero(k, n);
    for (Index i = 0; i < n; ++i) s.u(problem.y[i], i) = 1;  // a = 0
  }
  const auto weights = [&] {
    return Mat(-problem.transpose_multiply(problem.shares(s.u), run) / lambda);
  };
  Mat w = weights().transpose();
  const Vec& squares = problem.rows.squared_norms();
  std::vector<int> idle(n, 0);
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  Vec z(k), u(k), change(k);
  const auto certify = [&] {
    s.w = weights();
    return problem.certify(s, run);
  };
  // the dual value rises in every epoch, the gap need not fall
  run.be_patient(0.9);

  Index visited = n;
  for (long epoch = 0; run.proceed(certify, 1); ++epoch) {
    const bool full = !shrink || epoch < 2 || epoch % full_every == 0 || visited == 0;
    sampler.shuffle(order);
    visited = 0;
    for (const Index i : order) {
      if (!full && idle[i] >= patience) continue;
      const double share = problem.rows.share(i);
      z.setZero();
      problem.rows.for_each(i, [&](Index j, double x) { z += x * w.col(j); });
      u = s.u.col(i);
      phi.dual_step(z.data(), problem.y[i], share * squares[i] / lambda, u.data());
      change = (share / lambda) * (s.u.col(i) - u);
      idle[i] = change.isZero(0) ? std::min(idle[i] + 1, patience) : 0;
      s.u.col(i) = u;
      if (idle[i] == 0) {
        problem.rows.for_each(i, [&](Index j, double x) { w.col(j) += x * change; });
      }
      run.tick().row(visited++);
    }
    run.spend(static_cast<double>(visited) / static_cast<double>(n));
    run.count_step();
  }
  return s;
}

}  // namespace dualmargin::linear
