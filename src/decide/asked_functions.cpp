#include "decide/asked_functions.h"

#include <algorithm>
#include <utility>

#include "region/function_ellipsoid.h"

namespace dualmargin::decide {

AskedFunctions::AskedFunctions(FunctionSizes own, const FunctionSizes& points, GiveColumns columns,
                               double bytes, Team& team, Tick& tick)
    : own_(std::move(own)),
      points_(points.scale.size()),
      columns_(std::move(columns)),
      nothing_(RowVec::Zero(own_.scale.size())),
      rows_({nothing_, nothing_, team},
            [this](const Mat& coef, Tick& t) { return products(coef, t); }, own_, points,
            static_cast<double>(points_), {}) {
  if (8.0 * static_cast<double>(points_) * static_cast<double>(n()) > bytes) return;
  stored_ = Mat(points_, n());
  for_panels(
      [&](Index begin, Index count) { columns_(begin, count, stored_.data() + begin * points_); },
      tick);
}

Mat AskedFunctions::columns(Index begin, Index end) const {
  if (stored_.size() > 0) return stored_.middleCols(begin, end - begin);
  Mat values(points_, end - begin);
  columns_(begin, end - begin, values.data());
  return values;
}

void AskedFunctions::for_panels(FunctionRef<void(Index, Index)> f, Tick& tick) const {
  constexpr Index width = 64;
  const auto panel = [&](Index p, Tick&) { f(p * width, std::min(width, n() - p * width)); };
  rows_.team.for_chunks((n() + width - 1) / width, panel, tick);
}

Mat AskedFunctions::products(const Mat& coef, Tick& tick) const {
  Mat values(n(), coef.cols());
  for_panels(
      [&](Index begin, Index count) {
        if (stored_.size() > 0) {
          values.middleRows(begin, count).noalias() =
              stored_.middleCols(begin, count).transpose() * coef;
        } else {
          values.middleRows(begin, count).noalias() =
              columns(begin, begin + count).transpose() * coef;
        }
      },
      tick);
  return values;
}

}  // namespace dualmargin::decide
