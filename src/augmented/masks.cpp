#include "augmented/masks.h"

#include <algorithm>
#include <cmath>

namespace dualmargin::augmented {

// The tree of the masks of one row: its entries, and sum_S p_S phi'_S xi_j for each.
struct Masks::Walk {
  const ExpectedErm& problem;
  const Vec& w;
  Index row;
  double keep;
  std::vector<Index> at;
  std::vector<double> x;
  std::vector<Sum> pull;

  // Over the masks of the first m entries; the others have made z, with probability p.
  Means below(std::size_t m, double z, double p) {
    if (m == 0) {
      const double y = problem.rows.y[row], value = problem.loss->value(z, y),
                   slope = problem.loss->slope(z, y);
      return {value, slope, std::abs(value), std::abs(slope)};
    }
    const std::size_t k = m - 1;
    const Means with = below(k, z + w[at[k]] * (x[k] / keep), p * keep),
                without = below(k, z, p * (1 - keep));
    pull[k].add(p * with.slope * x[k]);
    const auto mean = [&](double a, double b) { return keep * a + (1 - keep) * b; };
    return {mean(with.value, without.value), mean(with.slope, without.slope),
            mean(with.size, without.size), std::max(with.steepest, without.steepest)};
  }
};

double Masks::count() const {
  constexpr double most_entries = 64;
  const auto entries = [&](Index i) { return static_cast<double>(droppable(i)); };
  if (!(keep_ > 0 && keep_ < 1) || problem_.rows.max(entries) > most_entries) return HUGE_VAL;
  return problem_.rows.sum([&](Index i) { return std::exp2(entries(i)); });
}

GradientBound Masks::certify(const Vec& w, Tick& tick) const {
  const Rows& rows = problem_.rows;
  std::vector<Means> means(rows.n());
  const Vec gradient = rows.column_sums(
      [&](Index i, Vec& u) {
        if (problem_.share(i) > 0) means[i] = mean_of_row(w, i, u);
      },
      tick);
  Rounding rounding(problem_, w, rows.additions());
  Vec sizes(rows.n());
  const Vec pulls = rows.column_sums(
      [&](Index i, Vec& u) {
        // a value that stays is 1 / keep times as large
        const auto each = [&](auto f) {
          rows.for_each(i, [&](Index j, double x) { f(j, x / keep_); });
        };
        sizes[i] = rounding.row(i, means[i].size, means[i].steepest, 0, each, u);
      },
      tick);
  rounding.add(rows.sum([&](Index i) { return sizes[i]; }), pulls);
  const double value = rows.sum([&](Index i) { return problem_.share(i) * means[i].value; });
  const Vec g = problem_.least_subgradient(w, gradient);
  return {value + problem_.penalty.value(w), g.squaredNorm() / (2 * problem_.penalty.l2),
          rounding.of_gap(g), 0, rounding.of_value()};
}

std::size_t Masks::droppable(Index i) const {
  return static_cast<std::size_t>(problem_.rows.nonzeros(i) - (problem_.rows.bias() != 0));
}

Masks::Means Masks::mean_of_row(const Vec& w, Index i, Vec& u) const {
  Walk walk{problem_, w, i, keep_, {}, {}, {}};
  problem_.rows.for_each(i, [&](Index j, double x) {
    walk.at.push_back(j);
    walk.x.push_back(x);
  });
  const std::size_t m = droppable(i);
  walk.pull.resize(m);
  const bool constant = m < walk.x.size();
  const Means mean = walk.below(m, constant ? w[walk.at[m]] * walk.x[m] : 0.0, 1);
  const double share = problem_.share(i);
  for (std::size_t k = 0; k < m; ++k) u[walk.at[k]] += share * walk.pull[k].value();
  if (constant) u[walk.at[m]] += share * mean.slope * walk.x[m];
  return mean;
}

}  // namespace dualmargin::augmented
