// Vectors that cost something to make, kept as far as they fit into memory; the one that was
// longest not asked for makes room.
#pragma once

#include <deque>
#include <vector>

#include "base/function_ref.h"
#include "base/numeric.h"

namespace dualmargin {

class LruCache {
 public:
  // Of `keys` vectors of that length as many as fit into `bytes`, `least` in any case.
  LruCache(Index keys, Index length, double bytes, Index least);

  // make(vector) is called where it is not there. Valid until `least` others were asked for.
  const Vec& get(Index key, FunctionRef<void(Vec&)> make);

 private:
  struct Slot {
    Vec values;
    Index key = -1;
    long asked = 0;
  };

  Index free_slot();

  double most_;
  std::vector<Index> slot_of_;
  std::deque<Slot> slots_;  // its values stay where they are as it grows
  long clock_ = 0;
};

}  // namespace dualmargin
