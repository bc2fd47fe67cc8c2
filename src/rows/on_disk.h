// Samples in a file: each row is that of the compressed rows, or of the dense ones, of which a
// block is in memory, so that every product of a row has the bits that it has there. The members are
// explained in dense.h.
//
// A thread has a block of its own. Rows that are asked for in their order come by long blocks, and
// the system reads on while one is used: each thread opens the file for columns and for values, so
// that it sees two files that are read from one end to the other. Other rows come by short ones.
// What a row is made of is valid until the thread asks for another row.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "rows/dense.h"
#include "rows/disk_rows.h"
#include "rows/sparse.h"

namespace dualmargin {

// The rows of a file, and how their columns are moved and scaled: by the methods, as they pass, or
// as the entries are read, which gives those of a moved and scaled copy.
struct DiskSource {
  const DiskRows& file;
  const std::vector<Start>& start;  // of compressed rows among all entries
  Vec centre, scale;
  ColumnFrame frame, read;

  enum class Apply { in_passes, in_reading };
  DiskSource(const DiskRows& file_, const std::vector<Start>& start_, const Vec& centre_,
             const Vec& scale_, Apply apply = Apply::in_passes)
      : file(file_), start(start_), centre(centre_), scale(scale_) {
    (apply == Apply::in_passes ? frame : read) = ColumnFrame(centre, scale);
  }
  DiskSource(const DiskSource&) = delete;

  // The rows, with a bias coordinate unless bias is 0; they refer to this.
  std::unique_ptr<Storage> storage(double bias) const;
  Index nonzeros(Index i) const { return file.head().sparse ? start[i + 1] - start[i] : file.d(); }
};

// A block of rows first, ..., end - 1, of one thread.
class DiskBlock {
 public:
  explicit DiskBlock(const DiskSource& source)
      : source_(source), columns_(source.file.again()), values_(source.file.again()) {}

  Index first() const { return first_; }
  Index end() const { return end_; }
  bool has(Index i) const { return first_ <= i && i < end_; }
  const Start* start() const { return start_.data(); }
  const int* column() const { return column_.data(); }
  const double* value() const { return value_.data(); }

  void load(Index i) {
    const DiskRows& file = source_.file;
    const DiskHead& head = file.head();
    const bool onward = i >= end_ && i - end_ <= end_ - first_;
    entries_ = onward ? std::min(2 * entries_, most) : least;
    const Index place = file.chunk_of(i);
    file.hold(place);
    const DiskChunk& chunk = file.chunks()[static_cast<std::size_t>(place)];
    const auto last = chunk.first + static_cast<Index>(chunk.rows);
    end_ = first_ = i;  // nothing, should the reading fail
    Index end = 0;
    if (head.sparse) {
      const auto from = source_.start.begin();
      const auto past =
          std::upper_bound(from + i + 1, from + last + 1, source_.start[i] + entries_);
      end = std::max<Index>(i + 1, past - from - 1);
    } else {
      end = std::min(last, i + std::max<Index>(1, entries_ / std::max<Index>(1, head.d)));
    }
    const Start before = head.sparse ? source_.start[i] : i * head.d;
    const Start after = head.sparse ? source_.start[end] : end * head.d;
    const auto count = static_cast<std::size_t>(after - before);
    const Word skipped = static_cast<Word>(before) - chunk.first_entry;
    if (value_.size() < count) value_.resize(count);
    values_->read(value_.data(), 8 * count, chunk.values(head) + 8 * skipped);
    if (head.sparse) {
      if (column_.size() < count) column_.resize(count);
      columns_->read(column_.data(), 4 * count, chunk.columns(head) + 4 * skipped);
      start_.resize(static_cast<std::size_t>(end - i) + 1);
      for (Index r = i; r <= end; ++r) start_[r - i] = source_.start[r] - before;
      check_columns(count, i);
    }
    if (!source_.read.none()) apply(source_.read, count);
    end_ = end;
  }

 private:
  // 12 bytes each: a block stays in the second cache beside the weights that it meets there.
  static constexpr Index least = 1024, most = 16384;

  void apply(const ColumnFrame& frame, std::size_t count) {
    const bool sparse = source_.file.head().sparse;
    const auto d = static_cast<std::size_t>(source_.file.d());
    for (std::size_t k = 0; k < count; ++k) {
      const auto j = static_cast<Index>(sparse ? static_cast<std::size_t>(column_[k]) : k % d);
      value_[k] = frame.of(j, value_[k]);
    }
  }
  // A file that is changed while it is read must not lead out of the columns.
  void check_columns(std::size_t count, Index i) const {
    const auto last = static_cast<int>(source_.file.d() - 1);
    constexpr std::size_t lanes = 8;  // side by side: as one chain it costs as much as the reading
    int outside[lanes] = {};          // its sign: has any column been below 0 or above the last?
    std::size_t k = 0;
    for (; k + lanes <= count; k += lanes) {
      for (std::size_t l = 0; l < lanes; ++l) outside[l] |= beyond(column_[k + l], last);
    }
    for (; k < count; ++k) outside[0] |= beyond(column_[k], last);
    int any = 0;
    for (const int one : outside) any |= one;
    if (any < 0) {
      throw RowsFileError(source_.file.path(), "is damaged: it has a column beyond its last one", 0,
                          static_cast<double>(i) + 1);
    }
  }

  // Negative if j is no column; the difference wraps round where j is negative.
  static int beyond(int j, int last) {
    return j | static_cast<int>(static_cast<unsigned>(last) - static_cast<unsigned>(j));
  }

  const DiskSource& source_;
  const std::unique_ptr<const DiskFile> columns_, values_;
  std::vector<Start> start_;
  std::vector<int> column_;
  std::vector<double> value_;
  Index first_ = 0, end_ = 0, entries_ = least;
};

template <class Inner>
class OnDisk final : public Storage {
 public:
  static constexpr bool compressed = Inner::compressed;

  OnDisk(const DiskSource& source, double bias)
      : Storage(source.file.n(), source.file.d(), bias, compressed ? source.start.data() : nullptr),
        source_(source),
        left_(PassScale(source.frame, columns_).left()) {}
  ~OnDisk() {
    for (Reader* r = readers_; r != nullptr;) {
      const std::unique_ptr<Reader> gone(r);
      r = gone->next;
    }
  }
  OnDisk(const OnDisk&) = delete;
  OnDisk& operator=(const OnDisk&) = delete;

  const DiskSource& source() const { return source_; }

  template <class W>
  double dot(Index i, const W& w) const {
    const Reader& r = at(i);
    return r.whole.dot(i - r.block.first(), w);
  }
  template <class W>
  void axpy(Index i, double a, W&& w) const {
    const Reader& r = at(i);
    r.whole.axpy(i - r.block.first(), a, std::forward<W>(w));
  }
  double squared_norm(Index i) const {
    const Reader& r = at(i);
    return r.whole.squared_norm(i - r.block.first());
  }
  template <class F>
  void for_each(Index i, F f) const {
    const Reader& r = at(i);
    r.whole.for_each(i - r.block.first(), f);
  }

  bool in_file() const override { return true; }
  double row_dot(Index i, const double* w) const override;
  void row_axpy(Index i, double a, double* w) const override;
  double row_square(Index i) const override;
  void read_row(Index i, FunctionRef<void(const RowPiece&)> f) const override;
  // It begins with a look at whether the file is the one that was opened.
  std::unique_ptr<PassLoops> pass(const double* w) const override;
  // The sums are those of all rows at once.
  void add_gram(const Index* rows, const double* h, Index count, const std::vector<Index>& map,
                Mat& H, Index part, Index parts) const override;
  // Of rows that are fetched once.
  Mat products(const std::vector<Index>& rows, const Vec& metric, Team& team,
               Tick& tick) const override;

 private:
  class FileReader;

  struct Reader {
    const std::thread::id owner = std::this_thread::get_id();
    DiskBlock block;
    Inner whole, pass;  // pass: in the frame that is left where a pass divides by scales
    Reader* next = nullptr;

    Reader(const DiskSource& source, const Inner& none) : block(source), whole(none), pass(none) {}
  };

  Inner inner(const Start* start, const int* column, const double* value, Index rows,
              const ColumnFrame& frame) const {
    if constexpr (compressed) {
      return Sparse(start, column, value, rows, columns_, bias_, frame);
    } else {
      return Dense(value, rows, columns_, bias_, frame);
    }
  }
  Inner view(const DiskBlock& block, const ColumnFrame& frame) const {
    return inner(block.start(), block.column(), block.value(), block.end() - block.first(), frame);
  }
  const Reader& at(Index i) const {
    Reader& r = mine();
    if (!r.block.has(i)) {
      r.block.load(i);
      r.whole = view(r.block, source_.frame);
      r.pass = view(r.block, left_);
    }
    return r;
  }
  Reader& mine() const {
    const std::thread::id me = std::this_thread::get_id();
    for (Reader* r = readers_.load(std::memory_order_acquire); r != nullptr; r = r->next) {
      if (r->owner == me) return *r;
    }
    const Inner none = inner(nullptr, nullptr, nullptr, 0, left_);
    auto made = std::make_unique<Reader>(source_, none);
    made->next = readers_.load(std::memory_order_relaxed);
    while (!readers_.compare_exchange_weak(made->next, made.get(), std::memory_order_release,
                                           std::memory_order_relaxed)) {
    }
    return *made.release();
  }
  const DiskSource& source_;
  ColumnFrame left_;
  mutable std::atomic<Reader*> readers_{nullptr};
};

}  // namespace dualmargin
