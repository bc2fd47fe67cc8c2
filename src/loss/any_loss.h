// A loss chosen at run time, so that what stands above it is compiled once and not once for every
// loss: one virtual call a row, or one a block of rows, which are weighted by omega. What a single
// row is asked is explained in loss.h.
#pragma once

#include <array>
#include <memory>
#include <utility>

#include "base/numeric.h"
#include "loss/loss.h"
#include "rows/row_vec.h"

namespace dualmargin {

// What is summed for a duality gap, and the sizes of that, which say how much of it can be
// rounding.
struct FenchelSums {
  double value = 0;          // sum omega phi
  double gap = 0;            // sum omega (phi + phi* - t z), every term >= 0 (Fenchel-Young)
  double size = 0;           // sum omega (|phi| + |phi*| + |t z|)
  double slopes = 0;         // sum omega t
  double slope_size = 0;     // sum omega |t|
  double slope_squares = 0;  // sum omega t^2
  double score_size = 0;     // sum omega |z|
};

class AnyLoss {
 public:
  // Rows begin <= i < end.
  struct Block {
    Index begin, end;
  };

  template <class Loss>
  static AnyLoss of(const Loss& loss) {
    return AnyLoss(std::make_shared<const Model<Loss>>(loss));
  }

  double gamma() const { return loss_->gamma(); }
  bool smooth() const { return gamma() > 0; }
  bool dual_shift() const { return loss_->dual_shift(); }
  double value(double z, double y) const { return loss_->value(z, y); }
  double slope(double z, double y) const { return loss_->slope(z, y); }
  double conjugate(double t, double y) const { return loss_->conjugate(t, y); }
  double dual_step(double z, double y, double a, double q) const {
    return loss_->dual_step(z, y, a, q);
  }
  double curvature(double z, double y, double a, double q, double t) const {
    return loss_->curvature(z, y, a, q, t);
  }
  DualPiece dual_piece(double t, double y) const { return loss_->dual_piece(t, y); }
  std::array<Kink, 2> kinks(double y) const { return loss_->kinks(y); }

  // sum omega phi(z; y)
  double value(Block rows, const RowSpan& omega, const RowSpan& z, const RowSpan& y) const {
    return loss_->values(rows, omega, z, y);
  }
  // sum omega phi*(theta a; y) and its derivative in theta
  std::array<double, 2> conjugate(Block rows, const RowSpan& omega, const RowSpan& a, double theta,
                                  const RowSpan& y) const {
    return loss_->conjugates(rows, omega, a, theta, y);
  }
  // FenchelSums at t = theta a
  std::array<double, 7> fenchel_sums(Block rows, const RowSpan& omega, const RowSpan& z,
                                     const RowSpan& a, double theta, const RowSpan& y) const {
    return loss_->fenchel_sums(rows, omega, z, a, theta, y);
  }
  // slope_i = dual_step(z_i + shift, y_i, a_i, q) and its derivative
  void dual_steps(Block rows, const RowSpan& z, double shift, const RowSpan& y, const RowSpan& a,
                  double q, RowVec& slope, RowVec& curvature) const {
    loss_->dual_steps(rows, z, shift, y, a, q, slope, curvature);
  }

 private:
  struct Concept {
    virtual ~Concept() = default;
    virtual double gamma() const = 0;
    virtual bool dual_shift() const = 0;
    virtual double value(double z, double y) const = 0;
    virtual double slope(double z, double y) const = 0;
    virtual double conjugate(double t, double y) const = 0;
    virtual double dual_step(double z, double y, double a, double q) const = 0;
    virtual double curvature(double z, double y, double a, double q, double t) const = 0;
    virtual DualPiece dual_piece(double t, double y) const = 0;
    virtual std::array<Kink, 2> kinks(double y) const = 0;
    virtual double values(Block, const RowSpan& omega, const RowSpan& z,
                          const RowSpan& y) const = 0;
    virtual std::array<double, 2> conjugates(Block, const RowSpan& omega, const RowSpan& a,
                                             double theta, const RowSpan& y) const = 0;
    virtual std::array<double, 7> fenchel_sums(Block, const RowSpan& omega, const RowSpan& z,
                                               const RowSpan& a, double theta,
                                               const RowSpan& y) const = 0;
    virtual void dual_steps(Block, const RowSpan& z, double shift, const RowSpan& y,
                            const RowSpan& a, double q, RowVec& slope, RowVec& curvature) const = 0;
  };

  template <class Loss>
  struct Model final : Concept {
    explicit Model(const Loss& loss) : phi(loss) {}
    double gamma() const override { return phi.gamma(); }
    bool dual_shift() const override { return Loss::dual_shift; }
    double value(double z, double y) const override { return phi.value(z, y); }
    double slope(double z, double y) const override { return phi.slope(z, y); }
    double conjugate(double t, double y) const override { return phi.conjugate(t, y); }
    double dual_step(double z, double y, double a, double q) const override {
      return phi.dual_step(z, y, a, q);
    }
    double curvature(double z, double y, double a, double q, double t) const override {
      return phi.curvature(z, y, a, q, t);
    }
    DualPiece dual_piece(double t, double y) const override { return piece_of(phi, t, y, 0); }
    std::array<Kink, 2> kinks(double y) const override { return kinks_of(phi, y, 0); }

    // A row of weight zero is not there, even where its term is infinite.
    double values(Block rows, const RowSpan& omega, const RowSpan& z,
                  const RowSpan& y) const override {
      double sum = 0;
      for (Index i = rows.begin; i < rows.end; ++i) {
        if (omega[i] > 0) sum += omega[i] * phi.value(z[i], y[i]);
      }
      return sum;
    }
    std::array<double, 2> conjugates(Block rows, const RowSpan& omega, const RowSpan& a,
                                     double theta, const RowSpan& y) const override {
      double sum = 0, rise = 0;
      for (Index i = rows.begin; i < rows.end; ++i) {
        if (!(omega[i] > 0)) continue;
        sum += omega[i] * phi.conjugate(theta * a[i], y[i]);
        rise += omega[i] * a[i] * piece_of(phi, theta * a[i], y[i], 0).score;
      }
      return {sum, rise};
    }
    std::array<double, 7> fenchel_sums(Block rows, const RowSpan& omega, const RowSpan& z,
                                       const RowSpan& a, double theta,
                                       const RowSpan& y) const override {
      FenchelSums s;
      for (Index i = rows.begin; i < rows.end; ++i) {
        if (!(omega[i] > 0)) continue;
        const double t = theta * a[i], tz = t * z[i];
        const double value = phi.value(z[i], y[i]), conjugate = phi.conjugate(t, y[i]);
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
                    double q, RowVec& slope, RowVec& curvature) const override {
      for (Index i = rows.begin; i < rows.end; ++i) {
        const double score = z[i] + shift;
        slope[i] = phi.dual_step(score, y[i], a[i], q);
        curvature[i] = phi.curvature(score, y[i], a[i], q, slope[i]);
      }
    }

    Loss phi;
  };

  // Of a loss whose pieces nobody asks for, the score alone.
  template <class L>
  static auto piece_of(const L& loss, double t, double y, int) -> decltype(loss.dual_piece(t, y)) {
    return loss.dual_piece(t, y);
  }
  template <class L>
  static DualPiece piece_of(const L& loss, double t, double y, long) {
    return {-HUGE_VAL, HUGE_VAL, loss.score(t, y), 0};
  }

  template <class L>
  static auto kinks_of(const L& loss, double y, int) -> decltype(loss.kinks(y)) {
    return loss.kinks(y);
  }
  template <class L>
  static std::array<Kink, 2> kinks_of(const L&, double, long) {
    return {};
  }

  explicit AnyLoss(std::shared_ptr<const Concept> loss) : loss_(std::move(loss)) {}

  std::shared_ptr<const Concept> loss_;
};

}  // namespace dualmargin
