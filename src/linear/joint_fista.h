// FISTA for the softmax loss of all classes: fista.h, whose references and symbols hold here, with a
// matrix w of a column for each class and the best intercepts of all of them,
//
//   min_w  f(w) + \sum_c g(w_c),   f(w) = min_b \frac1W \sum_i \omega_i \phi(w^\top x_i + b; y_i).
//
//   z, z_v   scores w'x_i and v'x_i, without b
//   u        the probabilities at (v, b), a dual point that is balanced; v_c its dual sum, grad f(v)
#pragma once

#include "linear/joint_intercepts.h"
#include "run/run.h"

namespace dualmargin::linear {

template <class Problem>
JointSolution joint_fista(const Problem& problem, bool restart, const JointSolution& start,
                          Run& run) {
  const auto& rows = problem.rows;
  const Index k = problem.classes;
  const ElasticNet& g = problem.space;
  const double mu = g.strong_convexity();
  const auto phi = problem.loss();
  const JointIntercepts<Problem> intercepts(problem);
  JointSolution s = problem.begin(start, "fista");
  Mat w = s.w, v = w, pull;
  Vec b = s.b, own = Vec::Zero(k);
  RowMat z = problem.scores(w, own, run), z_v = z, u;
  double t = 1;
  run.be_patient(0.97);
  run.spend(0.5);
  double L = std::max(rows.column_norms(run).maxCoeff(), 1e-150);
  L = std::max(L * L / Problem::Loss::gamma, 1e-12 * mu);

  JointBest best(run.iterate());
  const auto cached = [&] {
    JointSolution here{{w, b}, {u}, "fista"};
    const double theta = problem.dual_scale(u, pull, run);
    problem.scale_dual(here.u, theta);
    RowMat scores = z;
    const auto [losses, gaps] = rows.sum([&](Index i) {
      auto zi = scores[i];
      zi += b;
      const double share = rows.share(i);
      return std::array<double, 2>{
          share * phi.value(scores.at(i), problem.y[i]),
          share * phi.fenchel_gap(scores.at(i), here.u.at(i), problem.y[i])};
    });
    const Certificate c(losses + problem.penalty(w), gaps + problem.penalty_gap(w, theta * pull));
    best.offer_primal(here, c.value);
    best.offer_dual(here, c.bound);
    return best.certificate();
  };
  const auto exact = [&] {
    JointSolution at{best.primal(), best.dual(), ""};
    return problem.certify(at, run);
  };
  // see fista.h; for any intercepts, those of v moved against the mean of the change
  const auto least = [&](const Mat& next, const RowMat& z_next) {
    const double length = (next - v).squaredNorm();
    if (length == 0) return 0.0;
    Vec shift = Vec::Zero(k);
    if (problem.free_intercept) {
      shift = -sums(rows, k,
                    [&](Index i, Index c) { return rows.share(i) * (z_next(i, c) - z_v(i, c)); });
    }
    RowMat scores = z_next;
    const auto [most, gap] = rows.sum([&](Index i) {
      auto zi = scores[i];
      const double far = (zi - z_v[i] + shift).squaredNorm(), share = rows.share(i);
      zi += b + shift;
      return std::array<double, 2>{share * far,
                                   share * phi.fenchel_gap(scores.at(i), u.at(i), problem.y[i])};
    });
    return std::min(most / Problem::Loss::gamma, 2 * gap) / length;
  };

  for (;;) {
    intercepts.best(z_v, b, u);
    pull = problem.pull(problem.shares(u), run).v;
    run.spend(0.5);
    if (!run.proceed(cached, exact, 0)) break;

    Mat next;
    RowMat z_next;
    for (;; L *= 2) {
      next = (v - pull / L).unaryExpr([&](double x) { return g.prox(x, 1 / L); });
      z_next = problem.scores(next, own, run);
      run.spend(0.5);
      if (least(next, z_next) <= L || run.exhausted()) break;
    }

    const bool uphill = restart && (v - next).cwiseProduct(next - w).sum() > 0;
    const double q = mu / (L + mu), c = 1 - q * t * t;
    const double renewed = uphill ? 1 : 0.5 * (c + std::sqrt(c * c + 4 * t * t));
    const double beta = uphill ? 0 : (t - 1) / renewed * (1 - (renewed - 1) * mu / L);
    v = next + beta * (next - w);
    RowMat ahead = z_next;
    ahead.add(beta, z_next);
    ahead.add(-beta, z);
    z_v = std::move(ahead);
    t = renewed;
    if (uphill) L /= 2;
    w.swap(next);
    z = std::move(z_next);
  }
  return {best.primal(), best.dual(), "fista"};
}

}  // namespace dualmargin::linear
