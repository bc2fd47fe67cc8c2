// The constraint |w|_q <= t for an interior point method: what every norm provides, and the two
// norms whose balls are polytopes. A cone has multipliers (Y, rho), |Y|_p <= rho, and enters the
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

}  // namespace dualmargin::robust
