// The loops over ranges of rows of a loss L, made of its formulas of a row, which are not virtual
// in here. A row of weight zero is not there, even where its term is infinite.
#pragma once

#include "loss/loss.h"

namespace dualmargin {

template <class L>
struct LossOf : Loss {
  bool of_residual() const final { return L::responses != Responses::labels; }

  double values(Block rows, const RowSpan& omega, const RowSpan& z, const RowSpan& y) const final {
    double sum = 0;
    for (Index i = rows.begin; i < rows.end; ++i) {
      if (omega[i] > 0) sum += omega[i] * self().value(z[i], y[i]);
    }
    return sum;
  }
  std::array<double, 2> conjugates(Block rows, const RowSpan& omega, const RowSpan& a, double theta,
                                   const RowSpan& y) const final {
    double sum = 0, rise = 0;
    for (Index i = rows.begin; i < rows.end; ++i) {
      if (!(omega[i] > 0)) continue;
      sum += omega[i] * self().conjugate(theta * a[i], y[i]);
      rise += omega[i] * a[i] * self().dual_piece(theta * a[i], y[i]).score;
    }
    return {sum, rise};
  }
  std::array<double, 7> fenchel_sums(Block rows, const RowSpan& omega, const RowSpan& z,
                                     const RowSpan& a, double theta, const RowSpan& y) const final {
    FenchelSums s;
    for (Index i = rows.begin; i < rows.end; ++i) {
      if (!(omega[i] > 0)) continue;
      const double t = theta * a[i], tz = t * z[i];
      const double value = self().value(z[i], y[i]), conjugate = self().conjugate(t, y[i]);
      s.value += omega[i] * value;
      s.gap += omega[i] * (value + conjugate - tz);
      s.size += omega[i] * (value + std::abs(conjugate) + std::abs(tz));
      s.slopes += omega[i] * t;
      s.slope_size += omega[i] * std::abs(t);
      s.slope_squares += omega[i] * t * t;
      s.score_size += omega[i] * std::abs(z[i]);
    }
    return {s.value, s.gap, s.size, s.slopes, s.slope_size, s.slope_squares, s.score_size};
  }
  void dual_steps(Block rows, const RowSpan& z, double shift, const RowSpan& y, const RowSpan& a,
                  double q, RowVec& slope, RowVec& curvature) const final {
    for (Index i = rows.begin; i < rows.end; ++i) {
      const double score = z[i] + shift;
      slope[i] = self().dual_step(score, y[i], a[i], q);
      curvature[i] = self().curvature(score, y[i], a[i], q, slope[i]);
    }
  }
  std::array<double, 2> along(Block rows, const RowSpan& omega, const RowSpan& z, const RowSpan& d,
                              double t, const RowSpan& y, RowVec& slope,
                              RowVec& curvature) const final {
    std::array<double, 2> sums{};
    for (Index i = rows.begin; i < rows.end; ++i) {
      const double score = z[i] + t * d[i], s = self().slope(score, y[i]);
      const double h = self().curvature(score, y[i], 0, 0, s);
      slope[i] = s;
      curvature[i] = h;
      if (!(omega[i] > 0)) continue;
      const double move = omega[i] * d[i];
      sums[0] += move * s;
      sums[1] += move * d[i] * h;
    }
    return sums;
  }
  std::array<double, 2> slopes(Block rows, const RowSpan& omega, const RowSpan& z, double t,
                               const RowSpan& y, bool right) const final {
    std::array<double, 2> sums{};
    for (Index i = rows.begin; i < rows.end; ++i) {
      if (!(omega[i] > 0)) continue;
      const double s = omega[i] * self().one_sided(z[i] + t, y[i], right);
      sums[0] += s;
      sums[1] += std::abs(s);
    }
    return sums;
  }

 private:
  const L& self() const { return static_cast<const L&>(*this); }
};

}  // namespace dualmargin
