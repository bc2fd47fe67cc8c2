#include "augmented/draws.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dualmargin::augmented {

Draws::Draws(const ExpectedErm& problem, const AugmentedOptions& options, Sampler& sampler,
             Tick& tick)
    : rows_(problem.rows, problem.perturbation, static_cast<std::uint64_t>(sampler.below(seeds))),
      chunk_(problem.perturbation.users_own() ? 4096 : 64),
      n_(problem.n()),
      visited_(problem.n()),
      sampler_(sampler),
      tick_(tick) {
  const Rows& rows = problem.rows;
  RowVec L = RowVec::of(n_, [&](Index i) { return problem.smoothness(i); });
  measure(problem, L);
  largest_ = std::max(0.0, rows.max([&](Index i) { return L[i]; }));
  const double total = rows.sum([&](Index i) { return L[i]; });
  const double n = static_cast<double>(n_);
  mean_ = total / n;
  using Sampling = AugmentedOptions::Sampling;
  Sampling sampling = options.sampling;
  if (sampling == Sampling::automatic) {
    sampling = largest_ >= 2 * mean_ ? Sampling::nonuniform : options.even;
  }
  if (sampling == Sampling::permutation) {
    order_.resize(n_);
    std::iota(order_.begin(), order_.end(), Index{0});
  }
  nonuniform_ = sampling == Sampling::nonuniform && total > 0;
  if (!nonuniform_) return;
  const RowVec nq = 0.5 + 0.5 * L / mean_;
  smallest_ = -rows.max([&](Index i) { return -nq[i]; });
  ratio_ = 1 / nq;
  // where the share of each row ends, for the draws: of rows that all lie here
  totals_.resize(n_);
  std::partial_sum(nq.data(), nq.data() + n_, totals_.begin());
}

void Draws::epoch(PerturbedRows::Show f) {
  sampler_.shuffle(order_);
  for (Index done = 0; done < n_;) {
    visits_.clear();
    for (const Index end = std::min(n_, done + chunk_); done < end; ++done) {
      const Index i = draw(done);
      visits_.push_back({i, visited_[i]++});
    }
    rows_.each(visits_, f);
    tick_.poll();
  }
}

Index Draws::draw(Index k) {
  if (!order_.empty()) return order_[k];
  return nonuniform_ ? sampler_.weighted(totals_) : sampler_.below(n_);
}

void Draws::measure(const ExpectedErm& problem, RowVec& L) {
  constexpr std::uint64_t visits = 4;
  constexpr double margin = 1.5;
  std::vector<Visit> at;  // of a row, one after another: the maximum below is over its visits
  for (Index i = 0; i < n_; ++i) {
    if (!std::isnan(L[i])) continue;
    L[i] = 0;
    for (std::uint64_t v = 0; v < visits; ++v) at.push_back({i, v});
  }
  rows_.each(at, [&](Index i, const ShownRow& xi) {
    const double square = xi.values().squaredNorm();
    L[i] = std::max(L[i], margin * problem.smoothness_of(i, square));
  });
}

}  // namespace dualmargin::augmented
