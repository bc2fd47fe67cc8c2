#include "augmented/perturbed_rows.h"

#include <algorithm>

namespace dualmargin::augmented {

void PerturbedRows::each(const std::vector<Visit>& visits, Show f) {
  constexpr Index block = 1 << 17;  // values that go into one call of a user's function
  const Storage& x = x_.storage();
  const Index bias = x.bias() != 0;
  const Index count = static_cast<Index>(visits.size());
  for (Index begin = 0; begin < count;) {
    rows_.clear();
    columns_.clear();
    Index filled = 0, end = begin;
    do {
      const Index length = x_.nonzeros(visits[end].row);
      rows_.push_back({visits[end], filled, length - bias});
      filled += length;
      ++end;
    } while (end < count && perturbation_.users_own() && filled < block);
    if (static_cast<Index>(values_.size()) < filled) values_.resize(filled);
    for (const PerturbedRow& r : rows_) {
      const int* columns = nullptr;
      double* to = values_.data() + r.first;
      x.read_row(x_.at(r.at.row), [&](const RowPiece& piece) {
        if (columns == nullptr) columns = piece.column;
        to = std::copy(piece.value, piece.value + piece.count, to);
      });
      columns_.push_back(columns);
    }
    perturbation_.apply(seed_, rows_, values_.data());
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const PerturbedRow& r = rows_[k];
      f(r.at.row, ShownRow(x, columns_[k], values_.data() + r.first, r.count));
    }
    begin = end;
  }
}

}  // namespace dualmargin::augmented
