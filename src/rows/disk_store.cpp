#include "rows/disk_store.h"

#include <utility>

namespace dualmargin {

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

void DiskStore::multiply_scales(const Vec& factor) {
  if (factor.size() == scales_.size()) scales_ = scales_.cwiseProduct(factor);
}

}  // namespace dualmargin
