// The rows of a file, as the methods read them: with the centres and scales of their columns, which
// are found as those of a matrix are (row_store.h).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rows/column_scale.h"
#include "rows/on_disk.h"
#include "rows/row_store.h"

namespace dualmargin {

// The entries of a file by rows, or of some of them in the order of `some`, as the sums over columns
// ask for them (column_parts.h).
class DiskView {
 public:
  static constexpr MatrixView::Form form = MatrixView::Form::rows;
  Index n, p;

  DiskView(const DiskSource& source, const std::vector<Index>* some);

  Index stored() const;
  template <class F>
  void column(Index, Index, Index, F) const {
    throw std::logic_error("a file has no columns");
  }
  // add(j, i, x_ij) for all that is stored in rows begin, ..., end - 1
  template <class Add>
  void for_rows(Index begin, Index end, Add add) const {
    DiskBlock block(source_);
    const bool sparse = source_.file.head().sparse;
    for (Index i = begin; i < end; ++i) {
      if (!block.has(at(i))) block.load(at(i));
      const Index r = at(i) - block.first();
      if (sparse) {
        for (Start k = block.start()[r]; k < block.start()[r + 1]; ++k) {
          add(Index{block.column()[k]}, i, block.value()[k]);
        }
      } else {
        for (Index j = 0; j < p; ++j) add(j, i, block.value()[r * p + j]);
      }
    }
  }

 private:
  Index at(Index i) const { return some_ == nullptr ? i : (*some_)[static_cast<std::size_t>(i)]; }

  const DiskSource& source_;
  const std::vector<Index>* some_;
};
template <class Add>
void for_rows(const DiskView& x, Index begin, Index end, Add add) {
  x.for_rows(begin, end, add);
}

// Every chunk of the file is held against its checksum before anything is made of its rows.
class DiskStore {
 public:
  // some: the rows that are meant, from 0; without: all of them.
  DiskStore(const std::string& path, Word checksum, std::optional<std::vector<Index>> some);
  DiskStore(const DiskStore&) = delete;

  // As RowStore finds them.
  void find_frame(const Vec& weights, bool scale, Origin origin, Team& team,
                  const Vec& factor = Vec(), Tick tick = silent_tick());
  // f(j, spread) of the columns as they are.
  void for_each_spread(const Vec& weights, Team& team,
                       FunctionRef<void(Index, const ColumnSpread&)> f,
                       Tick tick = silent_tick()) const;

  // add(j, i, x_ij) for all entries of the file, in their order
  template <class Add>
  void for_entries(Add add) const {
    const Vec none = Vec::Zero(file_.d()), ones = Vec::Ones(file_.d());
    const DiskSource plain(file_, start_, none, ones);
    DiskView(plain, nullptr).for_rows(0, file_.n(), add);
  }

  const DiskRows& file() const { return file_; }
  const std::vector<Start>& starts() const { return start_; }
  const Vec& scales() const { return scales_; }
  const Vec& centre() const { return centre_; }
  const std::vector<Index>* chosen() const { return some_ ? &*some_ : nullptr; }

  template <class F>  // f(data), with a bias coordinate unless bias is 0
  void visit(double bias, F f) const {
    const DiskSource source(file_, start_, centre_, scales_);
    const std::unique_ptr<Storage> data = source.storage(bias);
    f(static_cast<const Storage&>(*data));
  }

 private:
  void multiply_scales(const Vec& factor);

  DiskRows file_;
  std::optional<std::vector<Index>> some_;
  std::vector<Start> start_;
  Vec scales_, centre_;
};

}  // namespace dualmargin
