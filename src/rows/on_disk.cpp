#include "rows/on_disk.h"

#include <numeric>

#include "rows/storage_loops.h"

namespace dualmargin {

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
  r.whole.read_row(i - r.block.first(), f);
}
template <class Inner>
std::unique_ptr<PassLoops> OnDisk<Inner>::pass(const double* w) const {
  return std::make_unique<LoopsOf<FileReader>>(*this, w);
}

template <class Inner>
void OnDisk<Inner>::add_gram(const Index* rows, const double* h, Index count,
                             const std::vector<Index>& map, Mat& H, Index part, Index parts) const {
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
      r.whole.add_gram(here.data(), h + k, end - k, map, H, part, parts);
      k = end;
    }
  }
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

}  // namespace dualmargin
