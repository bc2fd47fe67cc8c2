#include "robust/merged_rows.h"

#include <cstring>
#include <unordered_map>

#include "base/mix64.h"

namespace dualmargin::robust {

MergedRows::MergedRows(const RobustSvm& problem, Tick& tick)
    : place_(problem.n(), -1),
      some_(merge(problem.rows, tick)),
      problem_(Rows(problem.rows, some_), problem.settings) {}

Dual MergedRows::expand(const Dual& merged) const {
  Dual s;
  const Index n = static_cast<Index>(place_.size());
  s.alpha = s.beta = RowVec::Zero(n);
  for (Index i = 0; i < n; ++i) {
    if (place_[i] < 0) continue;
    s.alpha[i] = merged.alpha[place_[i]];
    s.beta[i] = merged.beta[place_[i]];
  }
  return s;
}

MergedRows::Row MergedRows::entries(const Rows& x, Index i) {
  Row row;
  x.for_each(i, [&](Index j, double value) {
    if (value != 0) row.emplace_back(j, value);
  });
  return row;
}

std::uint64_t MergedRows::fingerprint(const Rows& x, Index i) {
  std::uint64_t hash = x.y[i] > 0;
  x.for_each(i, [&](Index j, double value) {
    if (value == 0) return;
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    hash = mix64(hash ^ (bits + golden64 * static_cast<std::uint64_t>(j + 1)));
  });
  return hash;
}

RowChoice MergedRows::merge(const Rows& all, Tick& tick) {
  RowChoice some;
  std::vector<Sum> weights;
  std::unordered_multimap<std::uint64_t, Index> seen;  // fingerprint -> merged row
  std::vector<std::uint64_t> prints(all.n());
  all.for_ranges(
      [&](Index begin, Index end, Tick& t) {
        for (Index i = begin; i < end; ++i) {
          prints[i] = fingerprint(all, i);
          t.row(i);
        }
      },
      tick);
  for (Index i = 0; i < all.n(); ++i) {
    tick.row(i);
    if (!(all.weights[i] > 0)) continue;
    const std::uint64_t hash = prints[i];
    Index& place = place_[i];
    for (auto [at, end] = seen.equal_range(hash); at != end && place < 0; ++at) {
      const Index first = some.id[at->second];
      if (all.y[i] == all.y[first] && entries(all, i) == entries(all, first)) place = at->second;
    }
    if (place < 0) {
      place = static_cast<Index>(some.id.size());
      seen.emplace(hash, place);
      some.id.push_back(i);
      weights.emplace_back();
    }
    weights[place].add(all.weights[i]);
  }
  const auto merged = static_cast<Index>(some.id.size());
  some.weights = RowVec::of(merged, [&](Index k) { return weights[k].value(); });
  some.y = RowVec::of(merged, [&](Index k) { return all.y[some.id[k]]; });
  return some;
}

}  // namespace dualmargin::robust
