// q = 2: the second-order cone |w|_2 <= t, with the scaling of Y. E. Nesterov and M. J. Todd
// (1997), Mathematics of Operations Research 22, 1-42; the formulas as in L. Vandenberghe (2010),
// The CVXOPT linear and quadratic cone program solvers, section 4.
//
// x = (w, t) and z = (Y, rho) lie in the cone. J = diag(-I, 1), a o b = (a_t b_w + b_t a_w, a'b).
// One symmetric W has W z = W^-1 x = lambda, and a step solves
//
//   lambda o (W^-1 dx + W dz) = aim.
#pragma once

#include "robust/cone.h"

namespace dualmargin::robust {

// sqrt(t^2 - |w|^2) of a vector (w, t)
inline double cone_length(const Vec& x) {
  const Index d = x.size() - 1;
  const double size = x.head(d).stableNorm();
  return std::sqrt(std::max((x[d] - size) * (x[d] + size), 1e-300));
}

// The largest step in [0, 2] that leaves x + step dx in the cone: the first root of
// (t + a dt)^2 = |w + a dw|^2.
inline double step_to_cone(const Vec& x, const Vec& dx) {
  const Index d = x.size() - 1;
  const double size = x.head(d).stableNorm();
  const double now = (x[d] - size) * (x[d] + size);
  const double slope = x[d] * dx[d] - x.head(d).dot(dx.head(d));
  const double bend = dx[d] * dx[d] - dx.head(d).squaredNorm();
  if (bend >= 0 && slope >= 0) return 2;
  // not negative but for rounding: x lies inside
  const double root = std::sqrt(std::max(slope * slope - bend * now, 0.0));
  return std::clamp(now / (root - slope), 0.0, 2.0);
}

class L2Cone : public Cone {
 public:
  L2Cone(Index d, double t, double theta) : d_(d) {
    slacks.slack = slacks.multiplier = Vec::Zero(d + 1);
    slacks.slack[d] = t;
    slacks.multiplier[d] = theta;
    // only the last entry counts: the pair is one product, x'z
    aim_at(Vec::Unit(d + 1, d) * part);
    slacks.weight.setOnes();
  }

  void look(const Vec& w, double t) override {
    slacks.slack << w, t;
    const Vec &x = slacks.slack, &z = slacks.multiplier;
    const double x_length = cone_length(x), z_length = cone_length(z);
    const double cosine = x.dot(z) / (x_length * z_length);
    point_ = x / x_length - z / z_length;
    point_[d_] = x[d_] / x_length + z[d_] / z_length;
    point_ /= std::sqrt(2 * (1 + cosine));
    scale_ = std::sqrt(x_length / z_length);
    axis_ = point_;
    axis_[d_] += 1;
    axis_ /= std::sqrt(2 * axis_[d_]);
    lambda_ = scaled(z);
  }
  // W^-2 = (2 (J point)(J point)' - J) / scale^2
  Curvature curvature(double ridge) const override {
    const double factor = 1 / (scale_ * scale_);
    return {Vec::Constant(d_, ridge + factor),
            Vec(),
            -factor,
            -factor,
            -point_.head(d_),
            point_[d_],
            2 * factor};
  }
  Vec at_rest(const Vec& aim) const override { return unscaled(divided(aim)); }
  Vec response(const Vec& dw, double dt, double) const override {
    return -unscaled(unscaled(joined(dw, dt)));
  }
  Force force(const Vec& z) const override { return {z.head(d_), z[d_]}; }

  Vec predictor() const override { return -product(lambda_, lambda_); }
  Vec corrector(double mu, const Step& affine) const override {
    Vec aim = predictor() - product(unscaled(affine.slack), scaled(affine.multiplier));
    aim += mu * slacks.target;
    return aim;
  }
  Vec recentred(const Vec& aim, const Step&, const StepLengths&, double) const override {
    return aim;
  }
  Step step(const Vec&, const Vec& d_multiplier, const Vec& dw, double dt) const override {
    return {joined(dw, dt), d_multiplier};
  }
  StepLengths room(const Step& step) const override {
    return {step_to_cone(slacks.slack, step.slack),
            step_to_cone(slacks.multiplier, step.multiplier)};
  }

 private:
  Vec joined(const Vec& w, double t) const {
    Vec x(d_ + 1);
    x << w, t;
    return x;
  }
  static Vec flipped(const Vec& x) {  // J x
    Vec y = -x;
    y[x.size() - 1] = x[x.size() - 1];
    return y;
  }
  // W x = scale (2 axis axis' - J) x and W^-1 x
  Vec scaled(const Vec& x) const { return scale_ * (2 * axis_.dot(x) * axis_ - flipped(x)); }
  Vec unscaled(const Vec& x) const {
    const Vec axis = flipped(axis_);
    return (2 * axis.dot(x) * axis - flipped(x)) / scale_;
  }
  Vec product(const Vec& a, const Vec& b) const {
    Vec c = a[d_] * b + b[d_] * a;
    c[d_] = a.dot(b);
    return c;
  }
  // lambda o y = x
  Vec divided(const Vec& x) const {
    const double length = cone_length(lambda_);
    const double t = (lambda_[d_] * x[d_] - lambda_.head(d_).dot(x.head(d_))) / (length * length);
    return joined((x.head(d_) - t * lambda_.head(d_)) / lambda_[d_], t);
  }

  Index d_;
  Vec point_, axis_, lambda_;
  double scale_ = 1;
};

inline std::unique_ptr<Cone> make_cone(Norm q, Index d, double t, double theta) {
  if (q == Norm::l1) return std::make_unique<L1Cone>(d, t, theta);
  if (q == Norm::l2) return std::make_unique<L2Cone>(d, t, theta);
  return std::make_unique<LinfCone>(d, t, theta);
}

}  // namespace dualmargin::robust
