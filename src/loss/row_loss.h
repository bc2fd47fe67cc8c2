// A loss called on all rows at once, chosen at run time: one virtual call a pass, so that the code
// above it is compiled once and not once for every loss. Rows are weighted by omega.
#pragma once

#include <algorithm>
#include <memory>

#include "base/numeric.h"

namespace dualmargin {

// sum omega [phi(z) + phi*(t) - t z] and the sizes of what is summed, which say how much of the sum
// can be rounding.
struct FenchelSums {
  double gap = 0;            // every term is >= 0 (Fenchel-Young)
  double size = 0;           // sum omega (|phi| + |phi*| + |t z|)
  double slopes = 0;         // sum omega t
  double slope_size = 0;     // sum omega |t|
  double slope_squares = 0;  // sum omega t^2
  double score_size = 0;     // sum omega |z|

  FenchelSums& operator+=(const FenchelSums& more) {
    gap += more.gap;
    size += more.size;
    slopes += more.slopes;
    slope_size += more.slope_size;
    slope_squares += more.slope_squares;
    score_size += more.score_size;
    return *this;
  }
};

class RowLoss {
 public:
  virtual ~RowLoss() = default;

  virtual double gamma() const = 0;
  virtual bool dual_shift() const = 0;
  bool smooth() const { return gamma() > 0; }

  // sum omega phi(z; y)
  virtual double value(const Vec& omega, const Vec& z, const Vec& y) const = 0;
  // sum omega phi*(theta a; y)
  virtual double conjugate(const Vec& omega, const Vec& a, double theta, const Vec& y) const = 0;
  // at the dual point t = theta a
  virtual FenchelSums fenchel_sums(const Vec& omega, const Vec& z, const Vec& a, double theta,
                                   const Vec& y) const = 0;
  double fenchel_gap(const Vec& omega, const Vec& z, const Vec& a, double theta,
                     const Vec& y) const {
    return fenchel_sums(omega, z, a, theta, y).gap;
  }
  // slope_i = dual_step(z_i + shift, y_i, a_i, q) and its derivative
  virtual void dual_steps(const Vec& z, double shift, const Vec& y, const Vec& a, double q,
                          Vec& slope, Vec& curvature) const = 0;
};

template <class Loss>
class RowLossOf final : public RowLoss {
 public:
  explicit RowLossOf(const Loss& loss) : loss_(loss) {}

  double gamma() const override { return loss_.gamma(); }
  bool dual_shift() const override { return Loss::dual_shift; }

  double value(const Vec& omega, const Vec& z, const Vec& y) const override {
    return sum_over(z.size(), [&](Index i) { return weighted(omega[i], loss_.value(z[i], y[i])); });
  }
  double conjugate(const Vec& omega, const Vec& a, double theta, const Vec& y) const override {
    return sum_over(
        a.size(), [&](Index i) { return weighted(omega[i], loss_.conjugate(theta * a[i], y[i])); });
  }
  FenchelSums fenchel_sums(const Vec& omega, const Vec& z, const Vec& a, double theta,
                           const Vec& y) const override {
    constexpr Index block = 128;  // as in sum_over()
    FenchelSums total;
    Sum gap, slopes;
    for (Index begin = 0; begin < z.size(); begin += block) {
      const Index end = std::min(begin + block, z.size());
      FenchelSums part;
      for (Index i = begin; i < end; ++i) {
        if (!(omega[i] > 0)) continue;
        const double t = theta * a[i], tz = t * z[i];
        const double phi = loss_.value(z[i], y[i]), conjugate = loss_.conjugate(t, y[i]);
        part.gap += omega[i] * (phi + conjugate - tz);
        part.size += omega[i] * (phi + std::abs(conjugate) + std::abs(tz));
        part.slopes += omega[i] * t;
        part.slope_size += omega[i] * std::abs(t);
        part.slope_squares += omega[i] * t * t;
        part.score_size += omega[i] * std::abs(z[i]);
      }
      gap.add(part.gap);
      slopes.add(part.slopes);
      total += part;
    }
    total.gap = gap.value();
    total.slopes = slopes.value();
    return total;
  }
  void dual_steps(const Vec& z, double shift, const Vec& y, const Vec& a, double q, Vec& slope,
                  Vec& curvature) const override {
    const Index n = z.size();
    slope.resize(n);
    curvature.resize(n);
    for (Index i = 0; i < n; ++i) {
      const double score = z[i] + shift;
      slope[i] = loss_.dual_step(score, y[i], a[i], q);
      curvature[i] = loss_.curvature(score, y[i], a[i], q, slope[i]);
    }
  }

 private:
  // A row of weight zero is not there, even where its term is infinite.
  static double weighted(double omega, double term) { return omega > 0 ? omega * term : 0.0; }

  Loss loss_;
};

}  // namespace dualmargin
