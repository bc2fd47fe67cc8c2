// The rows of a file, as the methods read them: with the centres and scales of their columns, which
// are found as those of a matrix are (row_store.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rows/column_frame.h"
#include "rows/column_scale.h"
#include "rows/disk_rows.h"
#include "rows/row_store.h"
#include "rows/storage.h"

namespace dualmargin {

// Samples in a file: each row is that of the compressed rows, or of the dense ones, of which a
// block is in memory, so that every product of a row has the bits that it has there. The members are
// explained in dense.h.
//
// A thread has a block of its own. Rows that are asked for in their order come by long blocks, and
// the system reads on while one is used: each thread opens the file for columns and for values, so
// that it sees two files that are read from one end to the other. Other rows come by short ones.
// What a row is made of is valid until the thread asks for another row.

// The rows of a file, and how their columns are moved and scaled: by the methods, as they pass, or
// as the entries are read, which gives those of a moved and scaled copy.
struct DiskSource {
  const DiskRows& file;
  const std::vector<Start>& start;  // of compressed rows among all entries
  Vec centre, scale;
  ColumnFrame frame, read;

  enum class Apply { in_passes, in_reading };
  DiskSource(const DiskRows& file_, const std::vector<Start>& start_, const Vec& centre_,
             const Vec& scale_, Apply apply = Apply::in_passes);
  DiskSource(const DiskSource&) = delete;

  // The rows, with a bias coordinate unless bias is 0; they refer to this.
  std::unique_ptr<Storage> storage(double bias) const;
  Index nonzeros(Index i) const { return file.head().sparse ? start[i + 1] - start[i] : file.d(); }
};

// A block of rows first, ..., end - 1, of one thread.
class DiskBlock {
 public:
  explicit DiskBlock(const DiskSource& source);

  Index first() const { return first_; }
  Index end() const { return end_; }
  bool has(Index i) const { return first_ <= i && i < end_; }
  const Start* start() const { return start_.data(); }
  const int* column() const { return column_.data(); }
  const double* value() const { return value_.data(); }

  void load(Index i);

 private:
  // 12 bytes each: a block stays in the second cache beside the weights that it meets there.
  static constexpr Index least = 1024, most = 16384;

  void apply(const ColumnFrame& frame, std::size_t count);
  // A file that is changed while it is read must not lead out of the columns.
  void check_columns(std::size_t count, Index i) const;

  const DiskSource& source_;
  const std::unique_ptr<const DiskFile> columns_, values_;
  std::vector<Start> start_;
  std::vector<int> column_;
  std::vector<double> value_;
  Index first_ = 0, end_ = 0, entries_ = least;
};

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

  // (1/W) sum omega x_j of all rows of the file
  Vec means(const Vec& omega) const;
  DiskSource source(const RowFrame& frame) const {
    frame.assert_columns(file_.d());
    return {file_, start_, frame.centre_of(!file_.head().sparse), frame.scales,
            DiskSource::Apply::in_reading};
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
