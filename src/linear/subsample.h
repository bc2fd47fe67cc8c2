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
RowChoice sample_rows(const Rows<Data>& rows, const RowVec& score, double fraction,
                      Sampler& sampler) {
  const double mean = rows.sum([&](Index i) { return score[i]; }) / rows.count();
  std::vector<double> weights, labels, offsets;
  RowChoice some;
  for (Index i = 0; i < rows.n(); ++i) {
    const double chance = std::min(1.0, fraction * (0.5 + 0.5 * score[i] / mean));
    if (rows.weights[i] == 0 || sampler.uniform() >= chance) continue;
    some.id.push_back(i);
    weights.push_back(rows.weights[i] / chance);
    labels.push_back(rows.y[i]);
    if (rows.offset != nullptr) offsets.push_back((*rows.offset)[i]);
  }
  const auto taken = static_cast<Index>(some.id.size());
  some.weights = RowVec::of(taken, [&](Index k) { return weights[k]; });
  some.y = RowVec::of(taken, [&](Index k) { return labels[k]; });
  if (rows.offset != nullptr) {
    some.offset = RowVec::of(taken, [&](Index k) { return offsets[k]; });
  }
  return some;
}

// ridge: l2 W gamma
template <class Data>
RowVec row_scores(const Rows<Data>& rows, double ridge, Tick& tick) {
  const Vec column = rows.column_squares(RowVec::Ones(rows.n()), tick).array() + (ridge + 1e-300);
  RowVec score = RowVec::Constant(rows.n(), 1e-300);
  rows.for_ranges(
      [&](Index begin, Index end, Tick& t) {
        for (Index i = begin; i < end; ++i) {
          rows.for_each(i, [&](Index j, double x) { score[i] += x * x / column[j]; });
          t.row(i);
        }
      },
      tick);
  return score;
}

// (w, b) after the sampled runs on the risk smoothed by q around a = 0; the start itself when there
// are too few rows for a sample to say something (four a coordinate) or one class is missing in it.
template <class Data>
Solution subsample_start(const LinearProblem<Data>& problem, double q, Solution s, Sampler& sampler,
                         Run& run) {
  struct Stage {
    double fraction;
    int steps;
    double decrease;  // relative to the null value
  };
  const Rows<Data>& rows = problem.rows;
  const double gamma = problem.losses.loss.gamma() + q;
  RowVec score;
  for (const Stage stage : {Stage{1.0 / 16, 6, 3e-3}, Stage{1.0 / 4, 2, 1e-4}}) {
    const double expected = rows.count() * stage.fraction;
    if (expected < std::max<double>(500, 4.0 * rows.dim()) || !run.in_time()) continue;
    if (score.size() == 0) {
      score = row_scores(rows, problem.penalty.l2 * rows.total_weight * gamma, run);
      run.spend(1);
    }
    const RowChoice some = sample_rows(rows, score, stage.fraction, sampler);
    const Rows<Data> sampled(rows, some);
    const double highest = sampled.max([&](Index k) { return some.y[k]; });
    if (!sampled.any([&](Index k) { return some.y[k] < highest; })) continue;
    ProximalNewton<RowView<Data>> descent(problem, run, sampled);
    descent.start(s.w, s.b, RowVec::Zero(descent.count()), q);
    for (int step = 0; step < stage.steps; ++step) {
      if (descent.aim() <= stage.decrease * run.null_value() || !run.in_time()) break;
      descent.move();
    }
    static_cast<Primal&>(s) = {descent.w(), descent.b()};
  }
  return s;
}

}  // namespace dualmargin::linear
