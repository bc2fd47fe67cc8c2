// The constraint |w|_q <= t for an interior point method: what every norm provides. A cone has
// multipliers (Y, rho), |Y|_p <= rho, and enters the
// stationarity of the problem as
//
//   c w - v - Y = 0,   theta - rho = 0.
//
// The vector (w, t) is not a variable of the cone; it is told where the solver stands (look) and
// what a step moves (dw, dt).
#pragma once

#include <memory>

#include "algebra/interior_point.h"
#include "algebra/norm_cone.h"

namespace dualmargin::robust {

class Cone {
 public:
  using Step = Slacks::Step;
  struct Force {
    Vec w;     // Y
    double t;  // rho
  };

  virtual ~Cone() = default;

  virtual void look(const Vec& w, double t) = 0;
  // Second derivatives by (w, t), a ridge on w included: a diagonal for w, its coupling with t (or
  // none) and t's own, and stiffness (ray, lift)(ray, lift)'.
  struct Curvature {
    Vec diagonal, coupling;
    double corner = 0;
    double left = 0;  // of the corner once w is eliminated by the diagonal alone
    Vec ray;
    double lift = 0, stiffness = 0;
  };
  virtual Curvature curvature(double ridge) const = 0;
  // What the multipliers do for the sake of the aim alone, but for the force that this gives to the
  // ray; and when (w, t) moves and the ray has a force of `ray` in all.
  virtual Vec at_rest(const Vec& aim) const = 0;
  virtual double ray_at_rest(const Vec&) const { return 0; }
  virtual Vec response(const Vec& dw, double dt, double ray) const = 0;
  virtual Force force(const Vec& multiplier) const = 0;

  // As Slacks. The whole cone aims at a share of the complementarity of one piece of all rows.
  // differs: measured on a1a, a9a and ijcnn1.
  static constexpr double part = 0.1;
  virtual Vec predictor() const { return slacks.predictor(); }
  virtual Vec corrector(double mu, const Step& affine) const {
    return slacks.corrector(mu, affine);
  }
  virtual Vec recentred(const Vec& aim, const Step& step, const StepLengths& hope,
                        double mu) const {
    return slacks.recentred(aim, step, hope, mu);
  }
  virtual Step step(const Vec& aim, const Vec& d_multiplier, const Vec&, double) const {
    return slacks.step(aim, d_multiplier);
  }
  virtual StepLengths room(const Step& step) const { return slacks.room(step); }

  Slacks slacks;

 protected:
  void aim_at(Vec target) {
    slacks.weight = Vec::Ones(target.size());
    slacks.target = std::move(target);
  }
};

// No radius: t is free and costs nothing.
std::unique_ptr<Cone> no_cone(Index d);
std::unique_ptr<Cone> make_cone(Norm q, Index d, double t, double theta);

}  // namespace dualmargin::robust
