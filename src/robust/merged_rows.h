// A robust problem without rows of weight zero, and with equal rows (x_i, y_i) made one row of
// their summed weight: the same optimum with fewer terms (a9a: 26,008 of 32,561 rows). No row is
// copied.
#pragma once

#include <cstdint>
#include <cstring>

#include "robust/robust_svm.h"

namespace dualmargin::robust {

template <class Data>
class MergedRows {
 public:
  MergedRows(const RobustSvm<Data>& problem, Tick& tick)
      : place_(problem.n(), -1),
        some_(merge(problem.rows, tick)),
        problem_(Rows<Data>(problem.rows, some_), problem.settings) {}
  MergedRows(const MergedRows&) = delete;

  const RobustSvm<Data>& problem() const { return problem_; }

  // The multipliers of a merged row belong to each of its rows; a row without weight has none.
  Dual expand(const Dual& merged) const {
    Dual s;
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

  static Row entries(const Rows<Data>& x, Index i) {
    Row row;
    x.for_each(i, [&](Index j, double value) {
      if (value != 0) row.emplace_back(j, value);
    });
    return row;
  }

  // Equal rows have equal fingerprints: the finaliser of MurmurHash3, chained.
  static std::uint64_t fingerprint(const Rows<Data>& x, Index i) {
    std::uint64_t hash = x.y[i] > 0;
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

  // Fills place_; the first row of every group, in ascending order.
  RowChoice merge(const Rows<Data>& all, Tick& tick) {
    std::vector<std::pair<std::uint64_t, Index>> order;
    for (Index i = 0; i < all.n(); ++i) {
      if (all.weights[i] > 0) order.emplace_back(fingerprint(all, i), i);
      tick.row(i);
    }
    std::sort(order.begin(), order.end());
    std::vector<Index> first(all.n(), -1);
    std::size_t head = 0;
    Row row;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const Index i = order[k].second;
      tick.row(static_cast<Index>(k));
      if (k > 0 && order[k].first == order[k - 1].first) {
        const Index before = order[head].second;
        if (head + 1 == k) row = entries(all, before);
        if (all.y[i] == all.y[before] && entries(all, i) == row) {
          first[i] = before;
          continue;
        }
      }
      head = k;
      first[i] = i;
    }
    RowChoice some;
    for (Index i = 0; i < all.n(); ++i) {
      if (first[i] != i) continue;
      place_[i] = static_cast<Index>(some.id.size());
      some.id.push_back(i);
    }
    some.y.resize(some.id.size());
    some.weights = Vec::Zero(some.id.size());
    for (Index i = 0; i < all.n(); ++i) {
      if (first[i] < 0) continue;
      place_[i] = place_[first[i]];
      some.y[place_[i]] = all.y[i];
      some.weights[place_[i]] += all.weights[i];
    }
    return some;
  }

  std::vector<Index> place_;  // row -> merged row
  RowChoice some_;
  RobustSvm<Data> problem_;
};

}  // namespace dualmargin::robust
