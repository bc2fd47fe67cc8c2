// A robust problem without rows of weight zero, and with equal rows (x_i, y_i) made one row of
// their summed weight: the same optimum with fewer terms (a9a: 26,008 of 32,561 rows). No row is
// copied.
#pragma once

#include <cstdint>
#include <cstring>

#include "robust/robust_svm.h"
#include "rows/subset.h"

namespace dualmargin::robust {

template <class Data>
class MergedRows {
 public:
  MergedRows(const RobustSvm<Data>& problem, Run& run)
      : place_(problem.n(), -1),
        x_(problem.x, merge(problem, run)),
        problem_(x_, y_, weights_, problem, problem.free_intercept) {}
  MergedRows(const MergedRows&) = delete;

  const RobustSvm<Subset<Data>>& problem() const { return problem_; }

  // The multipliers of a merged row belong to each of its rows; a row without weight has none.
  RobustPoint expand(const RobustPoint& merged) const {
    RobustPoint s = merged;
    const Index n = static_cast<Index>(place_.size());
    s.alpha = s.beta = Vec::Zero(n);
    for (Index i = 0; i < n; ++i) {
      if (place_[i] < 0) continue;
      s.alpha[i] = merged.alpha[place_[i]];
      s.beta[i] = merged.beta[place_[i]];
    }
    return s;
  }

 private:
  using Row = std::vector<std::pair<Index, double>>;

  static Row entries(const Data& x, Index i) {
    Row row;
    x.for_each(i, [&](Index j, double value) {
      if (value != 0) row.emplace_back(j, value);
    });
    return row;
  }

  // Equal rows have equal fingerprints: the finaliser of MurmurHash3, chained.
  static std::uint64_t fingerprint(const Data& x, Index i, double label) {
    std::uint64_t hash = label > 0;
    x.for_each(i, [&](Index j, double value) {
      if (value == 0) return;
      std::uint64_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      hash ^= bits + 0x9e3779b97f4a7c15ull * static_cast<std::uint64_t>(j + 1);
      hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdull;
      hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53ull;
    });
    return hash;
  }

  // Fills place_, y_ and weights_; returns the first row of every group, in ascending order.
  std::vector<Index> merge(const RobustSvm<Data>& problem, Run& run) {
    std::vector<std::pair<std::uint64_t, Index>> order;
    for (Index i = 0; i < problem.n(); ++i) {
      if (problem.weights[i] > 0) {
        order.emplace_back(fingerprint(problem.x, i, problem.y[i]), i);
      }
      run.tick().row(i);
    }
    std::sort(order.begin(), order.end());
    std::vector<Index> first(problem.n(), -1);
    std::size_t head = 0;
    Row row;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const Index i = order[k].second;
      run.tick().row(static_cast<Index>(k));
      if (k > 0 && order[k].first == order[k - 1].first) {
        const Index before = order[head].second;
        if (head + 1 == k) row = entries(problem.x, before);
        if (problem.y[i] == problem.y[before] && entries(problem.x, i) == row) {
          first[i] = before;
          continue;
        }
      }
      head = k;
      first[i] = i;
    }
    std::vector<Index> rows;
    for (Index i = 0; i < problem.n(); ++i) {
      if (first[i] != i) continue;
      place_[i] = static_cast<Index>(rows.size());
      rows.push_back(i);
    }
    const Index m = static_cast<Index>(rows.size());
    y_.resize(m);
    weights_ = Vec::Zero(m);
    for (Index i = 0; i < problem.n(); ++i) {
      if (first[i] < 0) continue;
      place_[i] = place_[first[i]];
      y_[place_[i]] = problem.y[i];
      weights_[place_[i]] += problem.weights[i];
    }
    return rows;
  }

  std::vector<Index> place_;  // row -> merged row
  Vec y_, weights_;
  Subset<Data> x_;
  RobustSvm<Subset<Data>> problem_;
};

}  // namespace dualmargin::robust
