// What tells rows from one another: a sum over the entries of a row of a hash of each, of its column
// and its value. An entry of 0 adds nothing, so that stored and other zeros are alike, and entries
// may come in any order.
#pragma once

#include <cstring>

#include "base/mix64.h"
#include "base/numeric.h"

namespace dualmargin {

// number: of the column, from 0.
inline std::uint64_t column_key(Index number) {
  return mix64(static_cast<std::uint64_t>(number + 1) * golden64);
}
// Of all bits of the value.
inline std::uint64_t entry_hash(std::uint64_t key, double v) {
  std::uint64_t bits;
  std::memcpy(&bits, &v, sizeof bits);
  return v == 0 ? 0 : mix64(key ^ bits);
}
// Of a rounded one.
inline std::uint64_t entry_hash(std::uint64_t key, std::int64_t share) {
  return mix64(key ^ static_cast<std::uint64_t>(share));
}

}  // namespace dualmargin
