// What a statement on the optimum asks of a loss, beside what AnyLoss has, of a loss chosen at run
// time: one-sided slopes, the nearest point of the domain of phi^*, Fenchel-Young terms that do not
// cancel and directions that stay in that domain. The members are explained in loss.h; here
//
//   left right   one-sided derivatives of phi in z
//   curvature    phi'' where it exists, at a kink of phi' the larger one
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "loss/any_loss.h"
#include "loss/loss.h"

namespace dualmargin::region {

using dualmargin::Curving;

class Calculus {
 public:
  using Block = AnyLoss::Block;

  template <class Loss>
  static Calculus of(const Loss& loss) {
    return {AnyLoss::of(loss), std::make_shared<const Model<Loss>>(loss)};
  }

  const AnyLoss& loss() const { return loss_; }
  double gamma() const { return loss_.gamma(); }
  Curving curving() const { return model_->curving(); }
  double reach() const { return model_->reach(); }
  double left(double z, double y) const { return model_->one_sided(z, y, false); }
  double right(double z, double y) const { return model_->one_sided(z, y, true); }
  double curvature(double z, double y) const { return model_->curvature(z, y); }
  double excess(double z, double a, double y) const {
    return std::max(0.0, model_->excess(z, a, y));
  }
  double nearest(double a, double y) const { return model_->nearest(a, y); }
  double tilt(double a, double y) const { return model_->tilt(a, y); }
  double least_curvature(double low, double high, double y) const {
    return model_->least_curvature(low, high, y);
  }
  double margin_at(double level) const { return model_->margin_at(level); }
  bool of_margins() const { return !std::isnan(margin_at(1)); }
  // sum omega s and sum omega |s|, s the left or right slope at z + t, of rows with a weight
  std::array<double, 2> slopes(Block rows, const RowSpan& omega, const RowSpan& z, double t,
                               const RowSpan& y, bool right) const {
    return model_->slopes(rows, omega, z, t, y, right);
  }

 private:
  struct Concept {
    virtual ~Concept() = default;
    virtual Curving curving() const = 0;
    virtual double reach() const = 0;
    virtual double one_sided(double z, double y, bool right) const = 0;
    virtual double curvature(double z, double y) const = 0;
    virtual double excess(double z, double a, double y) const = 0;
    virtual double nearest(double a, double y) const = 0;
    virtual double tilt(double a, double y) const = 0;
    virtual double least_curvature(double low, double high, double y) const = 0;
    virtual double margin_at(double level) const = 0;
    virtual std::array<double, 2> slopes(Block rows, const RowSpan& omega, const RowSpan& z,
                                         double t, const RowSpan& y, bool right) const = 0;
  };
  template <class Loss>
  struct Model final : Concept {
    explicit Model(const Loss& loss) : phi(loss) {}
    Curving curving() const override { return Loss::curving; }
    double reach() const override { return Loss::reach; }
    double one_sided(double z, double y, bool right) const override {
      return side_of(phi, z, y, right, 0);
    }
    double curvature(double z, double y) const override { return curvature_of(phi, z, y, 0); }
    double excess(double z, double a, double y) const override { return phi.excess(z, a, y); }
    double nearest(double a, double y) const override { return phi.nearest(a, y); }
    double tilt(double a, double y) const override { return phi.tilt(a, y); }
    double least_curvature(double low, double high, double y) const override {
      return phi.least_curvature(low, high, y);
    }
    double margin_at(double level) const override { return phi.margin_at(level); }
    std::array<double, 2> slopes(Block rows, const RowSpan& omega, const RowSpan& z, double t,
                                 const RowSpan& y, bool right) const override {
      std::array<double, 2> sums{};
      for (Index i = rows.begin; i < rows.end; ++i) {
        if (!(omega[i] > 0)) continue;
        const double s = omega[i] * side_of(phi, z[i] + t, y[i], right, 0);
        sums[0] += s;
        sums[1] += std::abs(s);
      }
      return sums;
    }
    Loss phi;
  };

  // A slope without jumps is that of both sides.
  template <class L>
  static auto side_of(const L& phi, double z, double y, bool right, int)
      -> decltype(phi.one_sided(z, y, right)) {
    return phi.one_sided(z, y, right);
  }
  template <class L>
  static double side_of(const L& phi, double z, double y, bool, long) {
    return phi.slope(z, y);
  }
  // From the score, of a loss that has it without cancellation there.
  template <class L>
  static auto curvature_of(const L& phi, double z, double y, int) -> decltype(phi.curvature(z, y)) {
    return phi.curvature(z, y);
  }
  template <class L>
  static double curvature_of(const L& phi, double z, double y, long) {
    return phi.curvature(z, y, 0, 0, phi.slope(z, y));
  }

  Calculus(AnyLoss loss, std::shared_ptr<const Concept> model)
      : loss_(std::move(loss)), model_(std::move(model)) {}

  AnyLoss loss_;
  std::shared_ptr<const Concept> model_;
};

}  // namespace dualmargin::region
