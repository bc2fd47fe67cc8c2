// What the rows add up to column by column, before there are Rows: in ranges of rows that the data
// decide on, which threads work on side by side and whose parts are added in order. So dense rows,
// compressed columns and compressed rows have the same sums.
#pragma once

#include <algorithm>
#include <vector>

#include "base/team.h"
#include "rows/matrix_view.h"

namespace dualmargin {

// add(j, i, x_ij) for all that is stored in rows begin, ..., end - 1 of compressed rows.
template <class Add>
void for_rows(const MatrixView& x, Index begin, Index end, Add add) {
  for (Index i = begin; i < end; ++i) {
    for (Start k = x.start[i]; k < x.start[i + 1]; ++k) add(Index(x.index[k]), i, x.real[k]);
  }
}

// View: a MatrixView, or what else has n, p, form, stored(), column() and for_rows().
// The parts of all columns, own(begin, end, tick) of each range, added in order. A range has so many
// entries that the parts are few beside them.
template <class Part, class View, class Own>
std::vector<Part> parts_of_ranges(const View& x, Team& team, Tick& tick, Own own) {
  const double stored = static_cast<double>(x.stored());
  const double worth = stored / (128 * std::max(1.0, static_cast<double>(x.p)));
  const Index ranges = team.chunks(stored, std::clamp(worth, 1.0, 16.0));
  std::vector<std::vector<Part>> parts(static_cast<std::size_t>(ranges));
  const auto part = [&](Index r, Tick& t) {
    parts[r] = own(r * x.n / ranges, (r + 1) * x.n / ranges, t);
  };
  team.for_chunks(ranges, part, tick);
  for (Index r = 1; r < ranges; ++r) {
    for (Index j = 0; j < x.p; ++j) parts[0][j].add(parts[r][j]);
  }
  return std::move(parts[0]);
}

// add_to(j)(part, i, x_ij) for all that is stored, where `part` is of column j; parts that are made
// of different rows are joined by Part::add().
template <class Part, class View, class AddTo>
std::vector<Part> column_parts(const View& x, Team& team, Tick& tick, AddTo add_to) {
  return parts_of_ranges<Part>(x, team, tick, [&](Index begin, Index end, Tick& t) {
    std::vector<Part> own(static_cast<std::size_t>(x.p));
    if (x.form == MatrixView::Form::rows) {
      for_rows(x, begin, end, [&](Index j, Index i, double v) {
        add_to(j)(own[j], i, v);
        t.row(i);
      });
    } else {
      for (Index j = 0; j < x.p; ++j) {
        Part part;
        const auto add = add_to(j);
        x.column(j, begin, end, [&](Index i, double v) { add(part, i, v); });
        own[j] = part;
        t.look();
      }
    }
    return own;
  });
}

// The same of parts that take two looks at their entries: first(block, i, x_ij) for all of a block
// of rows, block.turn(), second(block, i, x_ij) for the same ones, which a cache then holds; and
// Part::add(block). A block has about as many entries as a chunk of the team, and 32 a column at
// least: x is read from memory once.
template <class Part, class Block, class View, class First, class Second>
std::vector<Part> column_blocks(const View& x, Team& team, Tick& tick, First first, Second second) {
  const double stored = static_cast<double>(x.stored());
  const double most = stored / (32 * std::max(1.0, static_cast<double>(x.p)));
  const auto blocks = static_cast<double>(team.chunks(stored, std::max(1.0, most)));
  const auto height =
      std::max<Index>(1, static_cast<Index>(std::ceil(static_cast<double>(x.n) / blocks)));
  return parts_of_ranges<Part>(x, team, tick, [&](Index begin, Index end, Tick& t) {
    std::vector<Part> own(static_cast<std::size_t>(x.p));
    if (x.form == MatrixView::Form::rows) {
      for (Index from = begin; from < end; from += height) {
        const Index until = std::min(end, from + height);
        std::vector<Block> block(static_cast<std::size_t>(x.p));
        for_rows(x, from, until, [&](Index j, Index i, double v) { first(block[j], i, v); });
        for (Block& b : block) b.turn();
        for_rows(x, from, until, [&](Index j, Index i, double v) { second(block[j], i, v); });
        for (Index j = 0; j < x.p; ++j) own[j].add(block[j]);
        t.look();
      }
    } else {
      for (Index j = 0; j < x.p; ++j) {
        for (Index from = begin; from < end; from += height) {
          const Index until = std::min(end, from + height);
          Block block;
          x.column(j, from, until, [&](Index i, double v) { first(block, i, v); });
          block.turn();
          x.column(j, from, until, [&](Index i, double v) { second(block, i, v); });
          own[j].add(block);
          t.look();
        }
      }
    }
    return own;
  });
}

}  // namespace dualmargin
