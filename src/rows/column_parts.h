// What the rows add up to column by column, before there are Rows: in ranges of rows that the data
// decide on, which threads work on side by side and whose parts are added in order. So dense rows,
// compressed columns and compressed rows have the same sums.
#pragma once

#include <algorithm>
#include <vector>

#include "base/team.h"
#include "rows/matrix_view.h"

namespace dualmargin {

// add_to(j)(part, i, x_ij) for all that is stored, where `part` is of column j; parts that are made
// of different rows are joined by Part::add(). The parts of a range are few beside its entries.
template <class Part, class AddTo>
std::vector<Part> column_parts(const MatrixView& x, Team& team, AddTo add_to) {
  const double stored = static_cast<double>(x.stored());
  const double worth = stored / (128 * std::max(1.0, static_cast<double>(x.p)));
  const Index ranges = team.chunks(stored, std::clamp(worth, 1.0, 16.0));
  std::vector<std::vector<Part>> parts(static_cast<std::size_t>(ranges));
  team.for_chunks(ranges, [&](Index r) {
    const Index begin = r * x.n / ranges, end = (r + 1) * x.n / ranges;
    std::vector<Part> own(static_cast<std::size_t>(x.p));
    if (x.form == MatrixView::Form::rows) {
      for (Index i = begin; i < end; ++i) {
        for (Start k = x.start[i]; k < x.start[i + 1]; ++k) {
          const Index j = x.index[k];
          add_to(j)(own[j], i, x.real[k]);
        }
      }
    } else {
      for (Index j = 0; j < x.p; ++j) {
        Part part;
        const auto add = add_to(j);
        x.column(j, begin, end, [&](Index i, double v) { add(part, i, v); });
        own[j] = part;
      }
    }
    parts[r] = std::move(own);
  });
  for (Index r = 1; r < ranges; ++r) {
    for (Index j = 0; j < x.p; ++j) parts[0][j].add(parts[r][j]);
  }
  return std::move(parts[0]);
}

}  // namespace dualmargin
