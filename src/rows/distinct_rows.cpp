#include "rows/distinct_rows.h"

#include <algorithm>

#include "rows/column_parts.h"
#include "rows/row_hash.h"

namespace dualmargin {

namespace {

// Of the stored values of a column in rows with weight.
struct Range {
  double low = HUGE_VAL, high = -HUGE_VAL;
  Index count = 0;

  void add(double v) {
    low = std::min(low, v);
    high = std::max(high, v);
    ++count;
  }
  void add(const Range& others) {
    low = std::min(low, others.low);
    high = std::max(high, others.high);
    count += others.count;
  }
};
struct Column {
  Range range;
  std::uint64_t key, zero;  // 0: it is constant; the hash of an entry of 0

  // The value 0 may lie far outside of the range.
  std::uint64_t place(double v) const {
    const double half = std::isfinite(range.high - range.low) ? 1 : 0.5;
    const double share = (half * v - half * range.low) / (half * range.high - half * range.low);
    const double step = std::round(std::ldexp(share, 32));
    return entry_hash(key, static_cast<std::int64_t>(std::clamp(step, -0x1p62, 0x1p62)));
  }
};

}  // namespace

DistinctRows::DistinctRows(const MatrixView& x, const Vec& weights, Team& team, Tick& tick) {
  const auto ranges = column_parts<Range>(x, team, tick, [&](Index) {
    return [&](Range& part, Index i, double v) {
      if (weights[i] > 0) part.add(v);
    };
  });
  std::vector<Index> present;
  for (Index i = 0; i < x.n; ++i) {
    if (weights[i] > 0) present.push_back(i);
  }
  std::vector<Column> columns;
  std::uint64_t zeros = 0;  // of a row without entries
  for (Range range : ranges) {
    if (range.count < static_cast<Index>(present.size())) range.add(0);
    columns.push_back({range, range.low < range.high ? column_key(columns_++) : 0, 0});
    if (columns.back().key == 0) continue;
    columns.back().zero = columns.back().place(0);
    zeros += columns.back().zero;
  }
  std::vector<Hash> hash(static_cast<std::size_t>(x.n), {zeros, 0});
  const auto add = [&](Index j, Index i, double v) {
    if (v == 0 || columns[j].key == 0 || !(weights[i] > 0)) return;
    hash[i].first += columns[j].place(v) - columns[j].zero;
    hash[i].second += entry_hash(columns[j].key, v);
  };
  if (x.form == MatrixView::Form::rows) {
    for (Index i = 0; i < x.n; ++i, tick.row(i)) for_rows(x, i, i + 1, add);
  } else {
    for (Index j = 0; j < x.p; ++j, tick.look()) {
      x.column(j, [&](Index i, double v) { add(j, i, v); });
    }
  }
  merge(present, hash, weights);
}

WeightedRows DistinctRows::some(Index most) const {
  const Index count = std::min(most, size());
  WeightedRows found{{}, Vec(count)};
  for (Index k = 0; k < count; ++k) {
    found.row.push_back(rows_[k].row);
    found.weight[k] = rows_[k].weight;
  }
  return found;
}

void DistinctRows::merge(std::vector<Index>& present, const std::vector<Hash>& hash,
                         const Vec& weights) {
  std::sort(present.begin(), present.end(),
            [&](Index i, Index j) { return hash[i] < hash[j] || (hash[i] == hash[j] && i < j); });
  std::uint64_t number = 0;  // among those that agree
  const Hash* last = nullptr;
  for (const Index i : present) {
    const Hash& own = hash[i];
    if (last != nullptr && own == *last) {
      rows_.back().weight += weights[i];
      continue;
    }
    number = last != nullptr && own.first == last->first ? number + 1 : 0;
    rows_.push_back({mix64(own.first ^ mix64(number)), i, weights[i]});
    last = &own;
  }
  std::sort(rows_.begin(), rows_.end(),
            [](const Row& a, const Row& b) { return a.place < b.place; });
}

}  // namespace dualmargin
