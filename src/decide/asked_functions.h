// Rows that are asked about by their kernel values with the rows of a fit, which are stored where
// the memory allows, and else computed whenever they are asked for.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>

#include "region/function_ellipsoid.h"

namespace dualmargin::decide {

using region::Function;
using region::FunctionRows;
using region::FunctionSizes;

class AskedFunctions {
 public:
  // Of some of the rows the values with all rows of the fit, a column each.
  using GiveColumns = std::function<void(Index begin, Index count, double* out)>;

  AskedFunctions(FunctionSizes own, const FunctionSizes& points, GiveColumns columns, double bytes,
                 Team& team, Tick& tick)
      : own_(std::move(own)),
        points_(points.scale.size()),
        columns_(std::move(columns)),
        nothing_(RowVec::Zero(own_.scale.size())),
        samples_(nothing_, nothing_, team),
        rows_(samples_, [this](const Mat& coef, Tick& t) { return products(coef, t); }, own_,
              points, static_cast<double>(points_), {}) {
    if (8.0 * static_cast<double>(points_) * static_cast<double>(n()) > bytes) return;
    stored_ = Mat(points_, n());
    for_panels(
        [&](Index begin, Index count) { columns_(begin, count, stored_.data() + begin * points_); },
        tick);
  }
  AskedFunctions(const AskedFunctions&) = delete;

  Index n() const { return own_.scale.size(); }
  const region::Samples& samples() const { return samples_; }
  const FunctionRows& rows() const { return rows_; }  // not moved
  double scale(Index i) const { return own_.scale[i]; }
  double error(Index i) const { return own_.error[i]; }
  Mat columns(Index begin, Index end) const {
    if (stored_.size() > 0) return stored_.middleCols(begin, end - begin);
    Mat values(points_, end - begin);
    columns_(begin, end - begin, values.data());
    return values;
  }
  Vec column(Index i) const { return columns(i, i + 1).col(0); }

 private:
  template <class F>
  void for_panels(F f, Tick& tick) const {
    constexpr Index width = 64;
    const auto panel = [&](Index p, Tick&) { f(p * width, std::min(width, n() - p * width)); };
    samples_.team.for_chunks((n() + width - 1) / width, panel, tick);
  }
  Mat products(const Mat& coef, Tick& tick) const {
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

  FunctionSizes own_;
  Index points_;
  GiveColumns columns_;
  const RowVec nothing_;
  const region::Samples samples_;
  FunctionRows rows_;
  Mat stored_;
};

}  // namespace dualmargin::decide
