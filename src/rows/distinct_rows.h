// The distinct rows of a matrix, as they were given. A weight says how often a row is there: rows
// without weight are left out, copies are one row of their total weight. What is found from them
// hangs neither on these, nor on the order of the rows or on columns that are constant.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/team.h"
#include "rows/matrix_view.h"

namespace dualmargin {

struct WeightedRows {
  std::vector<Index> row;
  Vec weight;

  Index size() const { return static_cast<Index>(row.size()); }
};

// Rows come in the order of a hash. It is made of the place of their values in the range of their
// column, rounded to 32 bits, and so depends on neither unit nor origin of a column, but for values
// that lie between two of these. Rows that agree in it are numbered in the order of a hash of all
// their bits, which tells copies from rows nearby.
class DistinctRows {
 public:
  DistinctRows(const MatrixView& x, const Vec& weights, Team& team, Tick& tick);

  Index size() const { return static_cast<Index>(rows_.size()); }
  // That are not constant.
  Index columns() const { return columns_; }
  // The first of them.
  WeightedRows some(Index most) const;

 private:
  using Hash = std::pair<std::uint64_t, std::uint64_t>;
  struct Row {
    std::uint64_t place;
    Index row;
    double weight;
  };
  void merge(std::vector<Index>& present, const std::vector<Hash>& hash, const Vec& weights);

  std::vector<Row> rows_;
  Index columns_ = 0;
};

}  // namespace dualmargin
