// A loss chosen at run time, one virtual call a row: for methods whose work on a row is far more
// than that call, so that they are compiled once and not once for every loss.
#pragma once

#include <memory>
#include <utility>

#include "loss/soft.h"

namespace dualmargin {

class AnyLoss {
 public:
  static constexpr bool dual_shift = false;

  template <class Loss>
  static AnyLoss of(Loss loss) {
    return AnyLoss(std::make_shared<const Model<Loss>>(std::move(loss)));
  }

  double gamma() const { return loss_->gamma(); }
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

 private:
  struct Concept {
    virtual ~Concept() = default;
    virtual double gamma() const = 0;
    virtual double value(double z, double y) const = 0;
    virtual double slope(double z, double y) const = 0;
    virtual double conjugate(double t, double y) const = 0;
    virtual double dual_step(double z, double y, double a, double q) const = 0;
    virtual double curvature(double z, double y, double a, double q, double t) const = 0;
    virtual DualPiece dual_piece(double t, double y) const = 0;
  };
  template <class Loss>
  struct Model final : Concept {
    explicit Model(Loss loss) : phi(std::move(loss)) {}
    double gamma() const override { return phi.gamma(); }
    double value(double z, double y) const override { return phi.value(z, y); }
    double slope(double z, double y) const override { return phi.slope(z, y); }
    double conjugate(double t, double y) const override { return phi.conjugate(t, y); }
    double dual_step(double z, double y, double a, double q) const override {
      return phi.dual_step(z, y, a, q);
    }
    double curvature(double z, double y, double a, double q, double t) const override {
      return phi.curvature(z, y, a, q, t);
    }
    DualPiece dual_piece(double t, double y) const override { return phi.dual_piece(t, y); }
    Loss phi;
  };

  explicit AnyLoss(std::shared_ptr<const Concept> loss) : loss_(std::move(loss)) {}

  std::shared_ptr<const Concept> loss_;
};

}  // namespace dualmargin
