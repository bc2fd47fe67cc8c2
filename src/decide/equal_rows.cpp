#include "decide/equal_rows.h"

#include <cstdint>
#include <unordered_map>
#include <utility>

#include "rows/row_hash.h"

namespace dualmargin::decide {

std::vector<Index> first_equals(const Storage& data, Tick& tick) {
  using Entries = std::vector<std::pair<Index, double>>;
  const auto read = [&](Index i, Entries& entries) {
    entries.clear();
    data.for_each(i, [&](Index j, double v) {
      if (v != 0) entries.emplace_back(j, v);
    });
  };
  std::unordered_map<std::uint64_t, std::vector<Index>> known;
  std::vector<Index> first(static_cast<std::size_t>(data.n()));
  Entries own, other;
  for (Index i = 0; i < data.n(); ++i, tick.row(i)) {
    read(i, own);
    std::uint64_t key = 0;
    for (const auto& [j, v] : own) key += entry_hash(column_key(j), v);
    std::vector<Index>& same = known[key];
    first[i] = i;
    for (const Index leader : same) {
      read(leader, other);
      if (own == other) first[i] = leader;
    }
    if (first[i] == i) same.push_back(i);
  }
  return first;
}

}  // namespace dualmargin::decide
