// Rows that are mixtures of two original ones: x = (1 - s) x_i + s x_j. The original rows come
// first, as mixtures of themselves.
#pragma once

#include <vector>

#include "core/numeric.h"

namespace dualmargin {

struct MixedRows {
  Index originals = 0;
  std::vector<Index> first, second;  // of the mixed rows alone
  std::vector<double> share;

  Index n() const { return originals + mixed(); }
  Index mixed() const { return static_cast<Index>(first.size()); }
  bool is_mixed(Index i) const { return i >= originals; }
  Index first_of(Index i) const { return is_mixed(i) ? first[i - originals] : i; }
  Index second_of(Index i) const { return is_mixed(i) ? second[i - originals] : i; }
  double share_of(Index i) const { return is_mixed(i) ? share[i - originals] : 0.0; }
};

}  // namespace dualmargin
