// A loss called on all rows at once, chosen at run time: one virtual call a pass, so that the code
// above it is compiled once and not once for every loss. Rows are weighted by omega.
#pragma once

#include <memory>

#include "core/numeric.h"

namespace dualmargin {

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
  // sum omega [phi(z) + phi*(theta a) - theta a z]; every term is >= 0 (Fenchel-Young)
  virtual double fenchel_gap(const Vec& omega, const Vec& z, const Vec& a, double theta,
                             const Vec& y) const = 0;
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
  double fenchel_gap(const Vec& omega, const Vec& z, const Vec& a, double theta,
                     const Vec& y) const override {
    return sum_over(z.size(), [&](Index i) {
      const double t = theta * a[i];
      return weighted(omega[i], loss_.value(z[i], y[i]) + loss_.conjugate(t, y[i]) - t * z[i]);
    });
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
