#include "decide/conformal_scales.h"

#include <algorithm>
#include <cmath>

#include "base/rounding.h"
#include "decide/refit.h"

namespace dualmargin::decide {

Mat ridge_ratios(const MatrixView& x, const Vec& omega, const Vec& scales,
                 const std::vector<std::vector<Index>>& out) {
  Mat ratios(x.p, static_cast<Index>(out.size()));
  const double W = accurate_sum(x.n, [&](Index i) { return omega[i]; });
  const RowVec weights(omega);
  Vec v(x.n), rest_of = omega;
  for (Index j = 0; j < x.p; ++j) {
    v.setZero();
    x.column(j, [&](Index i, double value) { v[i] = value; });
    const Spread column = spread_of(
        v, [&](Index i) { return omega[i]; }, W);
    const double all = column.square;
    for (std::size_t k = 0; k < out.size(); ++k) {
      const double left = weight_left(weights, W, out[k]);
      double taken = 0, sum = 0;
      for (const Index i : out[k]) {
        const double d = column.from_mean(v[i]);
        taken += omega[i] * d * d;
        sum += omega[i] * d;
      }
      double rest = all - taken - sum * sum / left;
      // rows can own the spread of a column, and a difference has its digits
      if (!(rest > 0.5 * all)) {
        for (const Index i : out[k]) rest_of[i] = 0;
        rest = spread_of(
                   v, [&](Index i) { return rest_of[i]; }, left)
                   .square;
        for (const Index i : out[k]) rest_of[i] = omega[i];
      }
      const double s2 = rest > 0 ? rest / left : 1.0;
      ratios(j, static_cast<Index>(k)) = s2 / (scales[j] * scales[j]);
    }
  }
  return ratios;
}

ColumnSpreads::ColumnSpreads(const MatrixView& x, const Vec& omega, Vec scales_, const Vec& centre)
    : mean(x.p), square(x.p), scales(std::move(scales_)) {
  W = accurate_sum(x.n, [&](Index i) { return omega[i]; });
  Vec v(x.n);
  for (Index j = 0; j < x.p; ++j) {
    v.setZero();
    x.column(j, [&](Index i, double value) { v[i] = value; });
    const Spread column = spread_of(
        v, [&](Index i) { return omega[i]; }, W);
    mean[j] = -column.from_mean(centre.size() > 0 ? centre[j] : 0.0) / scales[j];
    square[j] = column.square / (scales[j] * scales[j]);
  }
}

Vec ColumnSpreads::ratios(const Vec& row, double omega) const {
  Vec found(mean.size());
  for (Index j = 0; j < found.size(); ++j) {
    const double d = row[j] - mean[j];
    const double all = square[j] + omega * d * d * (W / (W + omega));
    found[j] = all > 0 ? all / (W + omega) : 1 / (scales[j] * scales[j]);
  }
  return found;
}

}  // namespace dualmargin::decide
