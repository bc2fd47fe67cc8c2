#include "rows/disk_store.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <numeric>
#include <thread>
#include <utility>

#include "rows/dense.h"
#include "rows/sparse.h"
#include "rows/storage_loops.h"

namespace dualmargin {

namespace {

// Negative if j is no column; the difference wraps round where j is negative.
int beyond(int j, int last) {
  return j | static_cast<int>(static_cast<unsigned>(last) - static_cast<unsigned>(j));
}

}  // namespace

DiskSource::DiskSource(const DiskRows& file_, const std::vector<Start>& start_, const Vec& centre_,
                       const Vec& scale_, Apply apply)
    : file(file_), start(start_), centre(centre_), scale(scale_) {
  (apply == Apply::in_passes ? frame : read) = ColumnFrame(centre, scale);
}

DiskBlock::DiskBlock(const DiskSource& source)
    : source_(source), columns_(source.file.again()), values_(source.file.again()) {}

void DiskBlock::load(Index i) {
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
    const auto past = std::upper_bound(from + i + 1, from + last + 1, source_.start[i] + entries_);
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

void DiskBlock::apply(const ColumnFrame& frame, std::size_t count) {
  const bool sparse = source_.file.head().sparse;
  const auto d = static_cast<std::size_t>(source_.file.d());
  for (std::size_t k = 0; k < count; ++k) {
    const auto j = static_cast<Index>(sparse ? static_cast<std::size_t>(column_[k]) : k % d);
    value_[k] = frame.of(j, value_[k]);
  }
}

void DiskBlock::check_columns(std::size_t count, Index i) const {
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
    const Reading reading(r);
    r.whole.for_each(i - r.block.first(), f);
  }

  bool is_file() const override { return true; }
  double row_dot(Index i, const double* w) const override;
  void row_axpy(Index i, double a, double* w) const override;
  double row_square(Index i) const override;
  void read_row(Index i, FunctionRef<void(const RowPiece&)> f) const override;
  // It begins with a look at whether the file is the one that was opened.
  std::unique_ptr<PassLoops> pass(const double* w) const override;
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
    mutable int live = 0;  // rows of the block that a callback reads now

    Reader(const DiskSource& source, const Inner& none) : block(source), whole(none), pass(none) {}
  };
  // While a callback reads a row of the block, no other row may be asked for beyond it.
  struct Reading {
    const Reader& r;
    explicit Reading(const Reader& reader) : r(reader) { ++r.live; }
    ~Reading() { --r.live; }
    Reading(const Reading&) = delete;
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
      assert(r.live == 0);  // else what it reads moves under it
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

template <class Inner>
class OnDisk<Inner>::FileReader {
 public:
  FileReader(const OnDisk& x, const double* w) : x_(x), scale_(x.source().frame, x.columns()) {
    x.source().file.assert_unchanged();
    scale_.take(w, x.dim());
  }

  double dot(Index i) const {
    const Reader& r = x_.at(i);
    return r.pass.dot(i - r.block.first(), Eigen::Map<const Vec>(scale_.weights(), x_.dim()));
  }
  void axpy(Index i, double a, Vec& sums) const {
    const Reader& r = x_.at(i);
    r.pass.axpy(i - r.block.first(), a, sums);
  }
  template <class F>
  void for_each(Index i, F f) const {
    const Reader& r = x_.at(i);
    const Reading reading(r);
    r.pass.for_each(i - r.block.first(), f);
  }
  Vec divided(Vec sums) const { return scale_.divided(std::move(sums)); }

 private:
  const OnDisk& x_;
  PassScale scale_;
};

template <class Inner>
double OnDisk<Inner>::row_dot(Index i, const double* w) const {
  return dot(i, Eigen::Map<const Vec>(w, dim()));
}
template <class Inner>
void OnDisk<Inner>::row_axpy(Index i, double a, double* w) const {
  axpy(i, a, Eigen::Map<Vec>(w, dim()));
}
template <class Inner>
double OnDisk<Inner>::row_square(Index i) const {
  return squared_norm(i);
}
template <class Inner>
void OnDisk<Inner>::read_row(Index i, FunctionRef<void(const RowPiece&)> f) const {
  const Reader& r = at(i);
  const Reading reading(r);
  r.whole.read_row(i - r.block.first(), f);
}
template <class Inner>
std::unique_ptr<PassLoops> OnDisk<Inner>::pass(const double* w) const {
  return std::make_unique<LoopsOf<FileReader>>(*this, w);
}

template <class Inner>
Mat OnDisk<Inner>::products(const std::vector<Index>& rows, const Vec& metric, Team& team,
                            Tick& tick) const {
  std::vector<Start> start(1, 0);
  std::vector<int> column;
  std::vector<double> value;
  for (const Index i : rows) {
    const DiskBlock& block = at(i).block;
    const Index k = i - block.first();
    const Start from = compressed ? block.start()[k] : k * columns_;
    const Start end = compressed ? block.start()[k + 1] : (k + 1) * columns_;
    value.insert(value.end(), block.value() + from, block.value() + end);
    if (compressed) column.insert(column.end(), block.column() + from, block.column() + end);
    start.push_back(start.back() + end - from);
  }
  std::vector<Index> all(rows.size());
  std::iota(all.begin(), all.end(), Index{0});
  return inner(start.data(), column.data(), value.data(), static_cast<Index>(rows.size()),
               source_.frame)
      .products(all, metric, team, tick);
}

std::unique_ptr<Storage> DiskSource::storage(double bias) const {
  if (file.head().sparse) return std::make_unique<OnDisk<Sparse>>(*this, bias);
  return std::make_unique<OnDisk<Dense>>(*this, bias);
}

template class OnDisk<Dense>;
template class OnDisk<Sparse>;

DiskView::DiskView(const DiskSource& source, const std::vector<Index>* some)
    : n(some == nullptr ? source.file.n() : static_cast<Index>(some->size())),
      p(source.file.d()),
      source_(source),
      some_(some) {}

Index DiskView::stored() const {
  Index all = 0;
  for (Index i = 0; i < n; ++i) all += source_.nonzeros(at(i));
  return all;
}

DiskStore::DiskStore(const std::string& path, Word checksum, std::optional<std::vector<Index>> some)
    : file_(path),
      some_(std::move(some)),
      scales_(Vec::Ones(file_.d())),
      centre_(Vec::Zero(file_.d())) {
  if (checksum != file_.head().checksum) {
    throw RowsFileError(path, "has other rows than it had when it was opened by read_rows()");
  }
  start_ = file_.starts();
}

void DiskStore::find_frame(const Vec& weights, bool scale, Origin origin, Team& team,
                           const Vec& factor, Tick tick) {
  if (!scale && origin != Origin::free) return multiply_scales(factor);
  Vec scales = scales_, centre = centre_;
  const auto keep = [&](Index j, const ColumnSpread& spread) {
    if (scale) scales[j] = spread.scale();
    if (origin == Origin::free) centre[j] = spread.centre();
  };
  for_each_spread(weights, team, keep, tick);
  scales_ = scales;
  centre_ = centre;
  multiply_scales(factor);
}

void DiskStore::for_each_spread(const Vec& weights, Team& team,
                                FunctionRef<void(Index, const ColumnSpread&)> f, Tick tick) const {
  const Vec none = Vec::Zero(file_.d()), ones = Vec::Ones(file_.d());
  const DiskSource plain(file_, start_, none, ones);
  dualmargin::for_each_spread(DiskView(plain, chosen()), weights, team, f, tick);
}

Vec DiskStore::means(const Vec& omega) const {
  const Vec none = Vec::Zero(file_.d()), ones = Vec::Ones(file_.d());
  const DiskSource plain(file_, start_, none, ones);
  return weighted_means(DiskView(plain, nullptr), omega);
}

void DiskStore::multiply_scales(const Vec& factor) {
  if (factor.size() == scales_.size()) scales_ = scales_.cwiseProduct(factor);
}

}  // namespace dualmargin
