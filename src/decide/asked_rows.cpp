#include "decide/asked_rows.h"

namespace dualmargin::decide {

AskedRows::AskedRows(const region::StoredRows& stored, Team& team)
    : data_(stored.storage()),
      none_(RowVec::Zero(stored.n())),
      rows_(*data_, none_, none_, team),
      moved_(rows_, stored) {}

region::Ends AskedRows::intervals(const region::Region& region, Tick& tick) const {
  return region::intervals(region, moved_, tick);
}

std::pair<RowVec, RowVec> AskedRows::scores(const Vec& w, double b, Tick& tick) const {
  return {RowVec(moved_.multiply(w, tick) + b), moved_.roundings(w, b, tick)};
}

}  // namespace dualmargin::decide
