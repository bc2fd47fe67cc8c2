// Rows that are mixtures of two original ones: x = (1 - s) x_i + s x_j. The original rows come
// first, as mixtures of themselves.
#pragma once

#include <vector>

#include "base/numeric.h"

namespace dualmargin::kernel {

struct Mixture {
  Index first, second;
  double share;
};

struct MixedRows {
  Index originals = 0;
  std::vector<Index> first, second;  // of the mixed rows alone
  std::vector<double> share;

  Index n() const { return originals + mixed(); }
  Index mixed() const { return static_cast<Index>(first.size()); }
  bool is_mixed(Index i) const { return i >= originals; }
  Mixture operator[](Index i) const {
    if (!is_mixed(i)) return {i, i, 0};
    const Index k = i - originals;
    return {first[k], second[k], share[k]};
  }
};

}  // namespace dualmargin::kernel
