// A cheap start for a second-order solver: two short Newton runs on samples of a sixteenth and a
// quarter of the rows. Half of a row's chance is uniform, half follows its score
// sum_j x_ij^2 / (column norm_j^2 + l2 W gamma), so that rows with rare features survive; weights
// 1/chance keep the sampled risk unbiased.
#pragma once

#include "linear/proximal_newton.h"
#include "linear/row_view.h"
#include "run/sampler.h"

namespace dualmargin::linear {

template <class Data>
RowSample sample_rows(const Erm<Data>& problem, const Vec& score, double fraction,
                      Sampler& sampler) {
  const double total = score.sum();
  std::vector<double> weights, labels;
  RowSample rows;
  for (Index i = 0; i < problem.n(); ++i) {
    const double share = problem.n() * score[i] / total;  // 1 on average
    const double chance = std::min(1.0, fraction * (0.5 + 0.5 * share));
    if (problem.weights[i] == 0 || sampler.uniform() >= chance) continue;
    rows.id.push_back(i);
    weights.push_back(problem.weights[i] / chance);
    labels.push_back(problem.y[i]);
  }
  rows.weights = Eigen::Map<const Vec>(weights.data(), weights.size());
  rows.y = Eigen::Map<const Vec>(labels.data(), labels.size());
  return rows;
}

template <class Data>
Vec row_scores(const Erm<Data>& problem, double gamma) {
  Vec column =
      Vec::Constant(problem.x.dim(), problem.penalty.l2 * problem.total_weight * gamma + 1e-300);
  for (Index i = 0; i < problem.n(); ++i) {
    problem.x.for_each(i, [&](Index j, double x) { column[j] += x * x; });
  }
  Vec score(problem.n());
  for (Index i = 0; i < problem.n(); ++i) {
    double s = 1e-300;
    problem.x.for_each(i, [&](Index j, double x) { s += x * x / column[j]; });
    score[i] = s;
  }
  return score;
}

// (w, b) after the sampled runs on the risk smoothed by q around a = 0; the start itself when there
// are too few rows for a sample to say something (four a coordinate) or one class is missing in it.
template <class Data>
Solution subsample_start(const Erm<Data>& problem, double q, Solution s, Sampler& sampler,
                         Run& run) {
  struct Stage {
    double fraction;
    int steps;
    double decrease;  // relative to the null value
  };
  Vec score;
  for (const Stage stage : {Stage{1.0 / 16, 6, 3e-3}, Stage{1.0 / 4, 2, 1e-4}}) {
    const double expected = problem.n() * stage.fraction;
    if (expected < std::max<double>(500, 4.0 * problem.x.dim()) || !run.in_time()) continue;
    if (score.size() == 0) score = row_scores(problem, problem.row_loss.gamma() + q);
    RowSample rows = sample_rows(problem, score, stage.fraction, sampler);
    if (rows.id.empty() || rows.y.minCoeff() == rows.y.maxCoeff()) continue;
    ProximalNewton<RowView<Data>> descent(problem, run, std::move(rows));
    descent.start(s.w, s.b, Vec::Zero(descent.count()), q);
    for (int step = 0; step < stage.steps; ++step) {
      if (descent.aim() <= stage.decrease * run.null_value() || !run.in_time()) break;
      descent.move();
    }
    s.w = descent.w();
    s.b = descent.b();
  }
  return s;
}

}  // namespace dualmargin::linear
