#include "region/filed_rows.h"

#include <vector>

namespace dualmargin::region {

Vec weighted_means(const DiskStore& x, const Vec& omega) {
  const double total = accurate_sum(x.file().n(), [&](Index i) { return omega[i]; });
  std::vector<Sum> sums(static_cast<std::size_t>(x.file().d()));
  x.for_entries([&](Index j, Index i, double v) { sums[j].add(omega[i] * v); });
  return Vec::NullaryExpr(x.file().d(), [&](Index j) { return sums[j].value() / total; });
}

FiledRows::FiledRows(const DiskStore& store, const Frame& frame)
    : Placed(store.file().d(), frame, !store.file().head().sparse),
      constant_(frame.constant),
      source_(store.file(), store.starts(), frame.centre_of(!store.file().head().sparse),
              frame.scales, DiskSource::Apply::in_reading) {}

}  // namespace dualmargin::region
