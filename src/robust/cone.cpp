#include "robust/cone.h"

#include <algorithm>
#include <cmath>

namespace dualmargin::robust {
namespace {

// No radius: t is free and costs nothing.
class NoCone : public Cone {
 public:
  explicit NoCone(Index d) : d_(d) {}

  void look(const Vec&, double) override {}
  Curvature curvature(double ridge) const override {
    return {Vec::Constant(d_, ridge), Vec(), 1, 1, Vec(), 0, 0};
  }
  Vec at_rest(const Vec&) const override { return Vec(); }
  Vec response(const Vec&, double, double) const override { return Vec(); }
  Force force(const Vec&) const override { return {Vec::Zero(d_), 0}; }

 private:
  Index d_;
};

// q = inf: t - w_j >= 0 and t + w_j >= 0, two blocks of d slacks; Y = minus - plus, rho their sum.
class LinfCone : public Cone {
 public:
  LinfCone(Index d, double t, double theta) : d_(d) {
    slacks.slack = Vec::Constant(2 * d, t);
    slacks.multiplier = Vec::Constant(2 * d, theta / (2 * static_cast<double>(d)));
    aim_at(Vec::Constant(2 * d, part / (2 * static_cast<double>(d))));
  }

  void look(const Vec& w, double t) override {
    D_ = slacks.ratio();
    missing_.resize(2 * d_);
    missing_ << (t - w.array()).matrix(), (t + w.array()).matrix();
    missing_ -= slacks.slack;
  }
  Curvature curvature(double ridge) const override {
    const Eigen::ArrayXd plus = D_.head(d_), minus = D_.tail(d_), sum = plus + minus;
    const double left = ((4 * plus * minus + ridge * sum) / (sum + ridge)).sum();
    return {sum + ridge, minus - plus, D_.sum(), left, Vec(), 0, 0};
  }
  Vec at_rest(const Vec& aim) const override { return D_.cwiseProduct(slacks.pull(aim, missing_)); }
  Vec response(const Vec& dw, double dt, double) const override {
    Vec moves(2 * d_);
    moves << (dt - dw.array()).matrix(), (dt + dw.array()).matrix();
    return -D_.cwiseProduct(moves);
  }
  Force force(const Vec& y) const override { return {y.tail(d_) - y.head(d_), y.sum()}; }

 private:
  Index d_;
  Vec D_, missing_;
};

// q = 1: h_j - w_j >= 0, h_j + w_j >= 0 and t - sum_j h_j >= 0, with multipliers plus, minus and
// rho. h is eliminated: it is the mean of the first two slacks, plus_j + minus_j = rho.
class L1Cone : public Cone {
 public:
  L1Cone(Index d, double t, double theta) : d_(d) {
    slacks.slack = Vec::Constant(2 * d + 1, t / (2 * static_cast<double>(d)));
    slacks.slack[2 * d] = t / 2;
    slacks.multiplier = Vec::Constant(2 * d + 1, theta / 2);
    slacks.multiplier[2 * d] = theta;
    aim_at(Vec::Constant(2 * d + 1, part / (2 * static_cast<double>(d) + 1)));
  }

  void look(const Vec& w, double t) override {
    D_ = slacks.ratio();
    const Vec plus = slacks.slack.head(d_), minus = slacks.slack.segment(d_, d_);
    const Vec sum = D_.head(d_) + D_.segment(d_, d_);
    slope_ = (D_.segment(d_, d_) - D_.head(d_)).cwiseQuotient(sum);
    missing_.resize(2 * d_ + 1);
    missing_.head(d_) = (minus - plus) / 2 - w;
    missing_.segment(d_, d_) = -missing_.head(d_);
    missing_[2 * d_] = t - (plus + minus).sum() / 2 - slacks.slack[2 * d_];
    stiffness_ = 1 / (1 / D_[2 * d_] + sum.cwiseInverse().sum());
  }
  Curvature curvature(double ridge) const override {
    const Eigen::ArrayXd plus = D_.head(d_), minus = D_.segment(d_, d_);
    return {ridge + 4 * plus * minus / (plus + minus), Vec(), 0, 0, slope_, 1, stiffness_};
  }
  Vec at_rest(const Vec& aim) const override {
    const Vec pull = slacks.pull(aim, missing_), &y = slacks.multiplier;
    return exchange(
        0, [&](Index j) { return pull[j] - pull[d_ + j]; },
        [&](Index j) { return y[2 * d_] - y[j] - y[d_ + j]; });
  }
  double ray_at_rest(const Vec& aim) const override {
    const Vec pull = slacks.pull(aim, missing_), &y = slacks.multiplier;
    const double spread = sum_over(d_, [&](Index j) {
      const double plus = y[j] + D_[j] * pull[j], minus = y[d_ + j] + D_[d_ + j] * pull[d_ + j];
      return (plus + minus - y[2 * d_]) / (D_[j] + D_[d_ + j]);
    });
    return stiffness_ * (pull[2 * d_] + spread);
  }
  Vec response(const Vec& dw, double, double ray) const override {
    return exchange(
        ray, [&](Index j) { return 2 * dw[j]; }, [](Index) { return 0.0; });
  }
  Force force(const Vec& y) const override { return {y.segment(d_, d_) - y.head(d_), y[2 * d_]}; }

 private:
  // rho follows from t and the sum of all h; then each pair shares what rho leaves to it.
  template <class Apart, class Owed>
  Vec exchange(double d_rho, Apart apart, Owed owed) const {
    Vec d(2 * d_ + 1);
    for (Index j = 0; j < d_; ++j) {
      const double plus = D_[j], minus = D_[d_ + j], sum = plus + minus;
      d[j] = plus * (minus * apart(j) + d_rho + owed(j)) / sum;
      d[d_ + j] = minus * (d_rho + owed(j) - plus * apart(j)) / sum;
    }
    d[2 * d_] = d_rho;
    return d;
  }

  Index d_;
  Vec D_, missing_, slope_;  // slope_j = -d h_j / d w_j
  double stiffness_ = 0;
};

// q = 2: the second-order cone |w|_2 <= t, with the scaling of Y. E. Nesterov and M. J. Todd
// (1997), Mathematics of Operations Research 22, 1-42; the formulas as in L. Vandenberghe (2010),
// The CVXOPT linear and quadratic cone program solvers, section 4.
//
// x = (w, t) and z = (Y, rho) lie in the cone. J = diag(-I, 1), a o b = (a_t b_w + b_t a_w, a'b).
// One symmetric W has W z = W^-1 x = lambda, and a step solves
//
//   lambda o (W^-1 dx + W dz) = aim.
// sqrt(t^2 - |w|^2) of a vector (w, t)
double cone_length(const Vec& x) {
  const Index d = x.size() - 1;
  const double size = x.head(d).stableNorm();
  return std::sqrt(std::max((x[d] - size) * (x[d] + size), 1e-300));
}

// The largest step in [0, 2] that leaves x + step dx in the cone: the first root of
// (t + a dt)^2 = |w + a dw|^2.
double step_to_cone(const Vec& x, const Vec& dx) {
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

}  // namespace

std::unique_ptr<Cone> no_cone(Index d) { return std::make_unique<NoCone>(d); }

std::unique_ptr<Cone> make_cone(Norm q, Index d, double t, double theta) {
  if (q == Norm::l1) return std::make_unique<L1Cone>(d, t, theta);
  if (q == Norm::l2) return std::make_unique<L2Cone>(d, t, theta);
  return std::make_unique<LinfCone>(d, t, theta);
}

}  // namespace dualmargin::robust
