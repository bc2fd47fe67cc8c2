#include "decide/asked_rows.h"

namespace dualmargin::decide {

AskedRows::AskedRows(const MatrixView& x, const RowFrame& frame, Team& team)
    : store_(x, frame),
      data_(store_.storage(frame)),
      none_(RowVec::Zero(x.n)),
      rows_(*data_, none_, none_, team) {}

region::Ends AskedRows::intervals(const region::Region& region, Tick& tick) const {
  return region::intervals(region, rows_, tick);
}

std::pair<RowVec, RowVec> AskedRows::scores(const Vec& w, double b, Tick& tick) const {
  return {RowVec(rows_.multiply(w, tick) + b), rows_.roundings(w, b, tick)};
}

}  // namespace dualmargin::decide
