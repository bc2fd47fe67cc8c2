// The rows a second-order method looks at: all of them or a sample.
#pragma once

#include <numeric>
#include <vector>

#include "base/numeric.h"

namespace dualmargin::linear {

// A subsample carries weights that make up for the rows left out.
struct RowSample {
  std::vector<Index> id;
  Vec weights, y;

  static RowSample all(Index n, const Vec& weights, const Vec& y) {
    RowSample rows{std::vector<Index>(n), weights, y};
    std::iota(rows.id.begin(), rows.id.end(), Index{0});
    return rows;
  }
};

}  // namespace dualmargin::linear
