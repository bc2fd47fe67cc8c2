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
#include "rows/products.h"
#include "rows/rows.h"
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
class OnDisk {
 public:
  static constexpr bool has_entries = true;
  static constexpr bool compressed = Inner::compressed;

  OnDisk(const DiskSource& source, double bias)
      : source_(source),
        p_(source.file.d()),
        bias_(bias),
        left_(PassScale<Vec>(source.frame, p_).left()) {}
  ~OnDisk() {
    for (Reader* r = readers_; r != nullptr;) {
      const std::unique_ptr<Reader> gone(r);
      r = gone->next;
    }
  }
  OnDisk(const OnDisk&) = delete;
  OnDisk& operator=(const OnDisk&) = delete;

  Index n() const { return source_.file.n(); }
  Index dim() const { return p_ + (bias_ != 0); }
  double bias() const { return bias_; }
  Index nonzeros(Index i) const { return source_.nonzeros(i) + (bias_ != 0); }
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
  template <class W, class Coef>
  double inner(const W& w, const Coef&) const {
    return w.squaredNorm();
  }
  template <class F>
  void for_each(Index i, F f) const {
    const Reader& r = at(i);
    r.whole.for_each(i - r.block.first(), f);
  }

  // The sums are those of all rows at once.
  template <class... Share>
  void add_gram(const Index* rows, const double* h, Index count, const std::vector<Index>& map,
                Mat& H, Share... share) const {
    if constexpr (!compressed) {
      add_panels(*this, rows, h, count, map, H);
    } else {
      std::vector<Index> here;
      for (Index k = 0; k < count;) {
        const Reader& r = at(rows[k]);
        here.clear();
        Index end = k;
        for (; end < count && r.block.has(rows[end]); ++end) {
          here.push_back(rows[end] - r.block.first());
        }
        r.whole.add_gram(here.data(), h + k, end - k, map, H, share...);
        k = end;
      }
    }
  }

  // Some of the rows, in memory: f(data).
  template <class F>
  auto fetched(const std::vector<Index>& rows, F f) const {
    std::vector<Start> start(1, 0);
    std::vector<int> column;
    std::vector<double> value;
    for (const Index i : rows) {
      const DiskBlock& block = at(i).block;
      const Index k = i - block.first();
      const Start from = compressed ? block.start()[k] : k * p_;
      const Start end = compressed ? block.start()[k + 1] : (k + 1) * p_;
      value.insert(value.end(), block.value() + from, block.value() + end);
      if (compressed) column.insert(column.end(), block.column() + from, block.column() + end);
      start.push_back(start.back() + end - from);
    }
    return f(inner(start.data(), column.data(), value.data(), static_cast<Index>(rows.size()),
                   source_.frame));
  }

 private:
  template <class Data, class W>
  friend class Pass;

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
      return Sparse(start, column, value, rows, p_, bias_, frame);
    } else {
      return Dense(value, rows, p_, bias_, frame);
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
  Index p_;
  double bias_;
  ColumnFrame left_;
  mutable std::atomic<Reader*> readers_{nullptr};
};

// It begins with a look at whether the file is the one that was opened.
template <class Inner, class W>
class Pass<OnDisk<Inner>, W> {
 public:
  explicit Pass(const OnDisk<Inner>& x) : x_(x), scale_(x.source().frame, x.p_) {
    x.source().file.assert_unchanged();
  }
  Pass(const OnDisk<Inner>& x, const W& w) : Pass(x) { scale_.take(w); }

  const OnDisk<Inner>& data() const { return x_; }
  double dot(Index i) const {
    const auto& r = x_.at(i);
    return r.pass.dot(i - r.block.first(), Eigen::Map<const Vec>(scale_.weights(), x_.dim()));
  }
  void axpy(Index i, double a, Vec& sums) const {
    const auto& r = x_.at(i);
    r.pass.axpy(i - r.block.first(), a, sums);
  }
  Vec divided(Vec sums) const { return scale_.divided(std::move(sums)); }
  template <class F>
  void for_each(Index i, F f) const {
    const auto& r = x_.at(i);
    r.pass.for_each(i - r.block.first(), f);
  }
  double divided(Index j, double v) const { return scale_.divided(j, v); }

 private:
  const OnDisk<Inner>& x_;
  PassScale<W> scale_;
};

// Products of a few rows with one another: they are fetched once.
template <class Inner>
Mat row_products(const Rows<OnDisk<Inner>>& rows, const std::vector<Index>& some, const Vec& metric,
                 Tick& tick) {
  std::vector<Index> all(some.size()), numbers = some;
  std::iota(all.begin(), all.end(), Index{0});
  for (Index& i : numbers) i = rows.at(i);
  return rows.pass().data().fetched(numbers, [&](const Inner& data) {
    const RowVec none = RowVec::Ones(data.n());
    return row_products(Rows<Inner>(data, none, none, rows.team), all, metric, tick);
  });
}

}  // namespace dualmargin
