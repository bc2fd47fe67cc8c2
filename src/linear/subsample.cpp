// A cheap start for a second-order solver: two short Newton runs on samples of a sixteenth and a
// quarter of the rows. Half of a row's chance is uniform, half follows its score
// sum_j x_ij^2 / (column norm_j^2 / W + l2 gamma), so that rows with rare features survive; weights
// 1/chance keep the sampled risk unbiased.
//
// Whether a row is taken hangs on its values and not on its place: neither the order of the rows, nor
// copies in the place of weights, nor rows without weight or constant columns change the sample.
#include <algorithm>
#include <optional>
#include <vector>

#include "base/rounding.h"
#include "linear/proximal_newton.h"
#include "linear/solvers.h"
#include "rows/row_hash.h"

namespace dualmargin::linear {

namespace {

struct RowMarks {
  RowVec score;
  std::vector<std::uint64_t> hash;
};

// ridge: l2 gamma. Entries and labels are hashed as shares of the size of their column, in steps so
// wide that the rounding of sizes moves none.
RowMarks row_marks(const Rows& rows, double ridge, Tick& tick) {
  const auto rounded = [](double share) {  // no simple ratio lies on the end of a step
    constexpr double steps = 0x1p20 * 0.7548776662466927;
    return static_cast<std::int64_t>(std::clamp(share * steps, -0x1p62, 0x1p62));
  };
  const Vec& size = rows.column_norms(tick);
  const Vec mean = rows.transpose_multiply(rows.weights / rows.total_weight, tick);
  Vec shrink(rows.dim());
  std::vector<std::uint64_t> key(static_cast<std::size_t>(rows.dim()), 0);  // 0: constant
  Index varying = 0;
  for (Index j = 0; j < rows.dim(); ++j) {
    const double square = size[j] * size[j];
    shrink[j] = square / (square + ridge + 1e-300);
    if (square - mean[j] * mean[j] > rounding::of_order * square) key[j] = column_key(varying++);
  }
  const double largest =
      rows.max([&](Index i) { return rows.weights[i] > 0 ? std::abs(rows.y[i]) : 1e-300; });
  RowMarks marks{RowVec::Constant(rows.n(), 1e-300),
                 std::vector<std::uint64_t>(static_cast<std::size_t>(rows.n()), 0)};
  rows.for_ranges(
      [&](Index begin, Index end, Tick& t) {
        for (Index i = begin; i < end; ++i, t.row(i)) {
          if (rows.weights[i] == 0) continue;
          auto hash = static_cast<std::uint64_t>(rounded(rows.y[i] / largest));
          rows.for_each(i, [&](Index j, double x) {
            if (x == 0 || !(size[j] > 0)) return;
            const double share = x / size[j];
            marks.score[i] += share * share * shrink[j];
            if (key[j] != 0) hash += entry_hash(key[j], rounded(share));
          });
          marks.hash[i] = hash;
        }
      },
      tick);
  return marks;
}

struct RowSample {
  RowChoice some;
  double distinct;
};

RowSample sample_rows(const Rows& rows, const RowMarks& marks, double fraction, Sampler& sampler) {
  const RowVec& score = marks.score;
  const double mean = rows.sum([&](Index i) { return rows.share(i) * score[i]; });
  const auto salt = static_cast<std::uint64_t>(sampler.uniform() * 0x1p53);
  std::vector<double> weights, labels, offsets;
  std::vector<std::uint64_t> places;
  RowChoice some;
  for (Index i = 0; i < rows.n(); ++i) {
    const double chance = std::min(1.0, fraction * (0.5 + 0.5 * score[i] / mean));
    const std::uint64_t place = mix64(marks.hash[i] ^ salt);
    if (rows.weights[i] == 0 || static_cast<double>(place >> 11) * 0x1p-53 >= chance) continue;
    some.id.push_back(i);
    places.push_back(place);
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
  std::sort(places.begin(), places.end());
  const auto last = std::unique(places.begin(), places.end());
  double distinct = static_cast<double>(last - places.begin());
  rows.team.sum(&distinct, 1);
  return {std::move(some), distinct};
}

}  // namespace

Solution subsample_start(const LinearProblem& problem, double q, Solution s, Sampler& sampler,
                         Run& run) {
  struct Stage {
    double fraction;
    int steps;
    double decrease;  // relative to the null value
  };
  const Rows& rows = problem.rows;
  const double gamma = problem.losses.loss.gamma() + q;
  const double least = std::max<double>(500, 4.0 * rows.dim());
  std::optional<RowMarks> marks;
  for (const Stage stage : {Stage{1.0 / 16, 6, 3e-3}, Stage{1.0 / 4, 2, 1e-4}}) {
    if (0.8 * rows.count() * stage.fraction < least || !run.in_time()) continue;
    if (!marks) {
      marks = row_marks(rows, problem.penalty.l2 * gamma, run);
      run.spend(1.5);
    }
    const RowSample sample = sample_rows(rows, *marks, stage.fraction, sampler);
    if (sample.distinct < least) continue;
    const RowChoice& some = sample.some;
    const Rows sampled(rows, some);
    const double highest = sampled.max([&](Index k) { return some.y[k]; });
    if (!sampled.any([&](Index k) { return some.y[k] < highest; })) continue;
    const auto view = view_by_rows(problem, run, sampled);
    ProximalNewton descent(problem, run, *view);
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
