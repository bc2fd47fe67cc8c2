// What the stochastic methods of the augmented family have in common: which rows they visit, how
// the rows look there, and when their steps fall.
#pragma once

#include <numeric>
#include <vector>

#include "augmented/assessment.h"

namespace dualmargin::augmented {

struct AugmentedOptions {
  enum class Sampling { automatic, uniform, nonuniform, permutation };
  Sampling sampling = Sampling::automatic;
  Sampling even = Sampling::uniform;  // what automatic is where the L_i are alike
  bool averaging = true;
  double step = 1;  // of the longest one
};

struct AugmentedSolution {
  Vec w;
  const char* solver = "";
};

// Steps of one length, and then of 2 / (mu (gamma + t)), gamma = 2 / (mu eta), but never longer
// than the one before. From there on the t-th point counts gamma + t in the average.
struct FallingStep {
  double mu, eta, gamma = 2 / (mu * eta), t = 0;

  void fall() { eta = std::min(eta, 2 / (mu * (gamma + ++t))); }
  double weight() const { return gamma + t; }
};

// n draws an epoch: all rows in a random order, or with replacement, uniform or row i with
// probability
//
//   q_i = 1/(2n) + L_i / (2 sum_k L_k)
//
// (Bietti and Mairal, (21)), which is worth its cost where the L_i are uneven.
template <class Problem>
class Draws {
 public:
  Draws(const Problem& problem, const AugmentedOptions& options, Sampler& sampler, Tick& tick)
      : rows_(problem.rows, problem.perturbation, static_cast<std::uint64_t>(sampler.below(seeds))),
        chunk_(problem.perturbation.users_own() ? 4096 : 64),
        n_(problem.n()),
        visited_(problem.n()),
        sampler_(sampler),
        tick_(tick) {
    const auto& rows = problem.rows;
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

  // 1 / (q_i n)
  double correction(Index i) const { return nonuniform_ ? ratio_[i] : 1; }
  double smallest_nq() const { return nonuniform_ ? smallest_ : 1; }
  // max_i L_i / (q_i n), within a factor of two
  double smoothness() const { return nonuniform_ ? mean_ : largest_; }

  // f(i, values) n times
  template <class F>
  void epoch(F f) {
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

 private:
  Index draw(Index k) {
    if (!order_.empty()) return order_[k];
    return nonuniform_ ? sampler_.weighted(totals_) : sampler_.below(n_);
  }

  static constexpr Index seeds = Index{1} << 53;

  // Where nothing is known of the length of a perturbed row: that of its longest visit of a few.
  void measure(const Problem& problem, RowVec& L) {
    constexpr std::uint64_t visits = 4;
    constexpr double margin = 1.5;
    std::vector<Visit> at;  // of a row, one after another: the maximum below is over its visits
    for (Index i = 0; i < n_; ++i) {
      if (!std::isnan(L[i])) continue;
      L[i] = 0;
      for (std::uint64_t v = 0; v < visits; ++v) at.push_back({i, v});
    }
    rows_.each(at, [&](Index i, const double* xi) {
      const double square = Eigen::Map<const Vec>(xi, problem.rows.nonzeros(i)).squaredNorm();
      L[i] = std::max(L[i], margin * problem.smoothness_of(i, square));
    });
  }

  PerturbedRows<typename Problem::Data> rows_;
  Index chunk_, n_;
  bool nonuniform_ = false;
  double largest_ = 0, mean_ = 0, smallest_ = HUGE_VAL;
  std::vector<Index> order_;
  RowVec ratio_;
  std::vector<double> totals_;
  std::vector<std::uint32_t> visited_;
  std::vector<Visit> visits_;
  Sampler& sampler_;
  Tick& tick_;
};

}  // namespace dualmargin::augmented
