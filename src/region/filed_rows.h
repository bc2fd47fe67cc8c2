// The rows of a solved problem in a file, as statements on its optimum read them: with the numbers
// that a copy in memory would have (moved_rows.h), block by block.
#pragma once

#include <vector>

#include "region/moved_rows.h"
#include "rows/disk_store.h"

namespace dualmargin::region {

// weighted_means() of the rows of a file, to the same bits.
inline Vec weighted_means(const DiskStore& x, const Vec& omega) {
  const double total = accurate_sum(x.file().n(), [&](Index i) { return omega[i]; });
  std::vector<Sum> sums(static_cast<std::size_t>(x.file().d()));
  x.for_entries([&](Index j, Index i, double v) { sums[j].add(omega[i] * v); });
  return Vec::NullaryExpr(x.file().d(), [&](Index j) { return sums[j].value() / total; });
}

class FiledRows : public Placed {
 public:
  // the store must outlive this
  FiledRows(const DiskStore& store, const Frame& frame)
      : Placed(store.file().d(), frame, !store.file().head().sparse),
        constant_(frame.constant),
        source_(store.file(), store.starts(), centre_of(store, frame), frame.scales,
                DiskSource::Apply::in_reading) {}

  Index n() const { return source_.file.n(); }

  std::unique_ptr<Storage> storage() const { return source_.storage(constant_); }
  template <class F>  // f(data)
  auto visit(F f) const {
    const std::unique_ptr<Storage> data = storage();
    return f(static_cast<const Storage&>(*data));
  }

 private:
  static Vec centre_of(const DiskStore& store, const Frame& frame) {
    const bool moves = frame.moves() && !store.file().head().sparse;
    return moves ? frame.centre : Vec(Vec::Zero(store.file().d()));
  }

  double constant_;
  DiskSource source_;
};

}  // namespace dualmargin::region
