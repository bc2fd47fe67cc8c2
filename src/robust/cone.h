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

#include "robust/epigraph.h"
#include "robust/pairs.h"

namespace dualmargin::robust {

class Cone {
 public:
  using Step = Pairs::Step;
  struct Force {
    Vec w;     // Y
    double t;  // rho
  };

  virtual ~Cone() = default;

  virtual void look(const Vec& w, double t) = 0;
  // Adds second derivatives by (w, t), lower triangle; w comes first in A and t last.
  virtual void add_curvature(Mat& A) const = 0;
  // What the multipliers do for the sake of the aim alone, and when (w, t) moves.
  virtual Vec at_rest(const Vec& aim) const = 0;
  virtual Vec response(const Vec& dw, double dt) const = 0;
  virtual Force force(const Vec& multiplier) const = 0;
  virtual double degree() const { return static_cast<double>(pairs.size()); }

  virtual Vec predictor() const { return pairs.predictor(); }
  virtual Vec corrector(double mu, const Step& affine) const { return pairs.corrector(mu, affine); }
  virtual Vec recentred(const Vec& aim, const Step& step, const StepLengths& hope,
                        double mu) const {
    return pairs.recentred(aim, step, hope, mu);
  }
  virtual Step step(const Vec& aim, const Vec& d_multiplier, const Vec&, double) const {
    return pairs.step(aim, d_multiplier);
  }
  virtual StepLengths room(const Step& step) const { return pairs.room(step); }

  double gap() const { return pairs.slack.dot(pairs.multiplier); }
  double gap(const Step& step, const StepLengths& length) const {
    return (pairs.slack + length.primal * step.slack)
        .dot(pairs.multiplier + length.dual * step.multiplier);
  }

  Pairs pairs;
};

// No radius: t is free and costs nothing.
class NoCone : public Cone {
 public:
  explicit NoCone(Index d) : d_(d) {}

  void look(const Vec&, double) override {}
  void add_curvature(Mat& A) const override { A(A.rows() - 1, A.rows() - 1) += 1; }
  Vec at_rest(const Vec&) const override { return Vec(); }
  Vec response(const Vec&, double) const override { return Vec(); }
  Force force(const Vec&) const override { return {Vec::Zero(d_), 0}; }

 private:
  Index d_;
};

// q = inf: t - w_j >= 0 and t + w_j >= 0, two blocks of d pairs; Y = minus - plus, rho their sum.
class LinfCone : public Cone {
 public:
  LinfCone(Index d, double t, double theta) : d_(d) {
    pairs.slack = Vec::Constant(2 * d, t);
    pairs.multiplier = Vec::Constant(2 * d, theta / (2 * static_cast<double>(d)));
  }

  void look(const Vec& w, double t) override {
    D_ = pairs.ratio();
    missing_.resize(2 * d_);
    missing_ << (t - w.array()).matrix(), (t + w.array()).matrix();
    missing_ -= pairs.slack;
  }
  void add_curvature(Mat& A) const override {
    const Index t = A.rows() - 1;
    A.diagonal().head(d_) += D_.head(d_) + D_.tail(d_);
    A.row(t).head(d_) -= (D_.head(d_) - D_.tail(d_)).transpose();
    A(t, t) += D_.sum();
  }
  Vec at_rest(const Vec& aim) const override { return D_.cwiseProduct(pairs.pull(aim, missing_)); }
  Vec response(const Vec& dw, double dt) const override {
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
    pairs.slack = Vec::Constant(2 * d + 1, t / (2 * static_cast<double>(d)));
    pairs.slack[2 * d] = t / 2;
    pairs.multiplier = Vec::Constant(2 * d + 1, theta / 2);
    pairs.multiplier[2 * d] = theta;
  }

  void look(const Vec& w, double t) override {
    D_ = pairs.ratio();
    const Vec plus = pairs.slack.head(d_), minus = pairs.slack.segment(d_, d_);
    const Vec sum = D_.head(d_) + D_.segment(d_, d_);
    slope_ = (D_.segment(d_, d_) - D_.head(d_)).cwiseQuotient(sum);
    missing_.resize(2 * d_ + 1);
    missing_.head(d_) = (minus - plus) / 2 - w;
    missing_.segment(d_, d_) = -missing_.head(d_);
    missing_[2 * d_] = t - (plus + minus).sum() / 2 - pairs.slack[2 * d_];
    stiffness_ = 1 / (1 / D_[2 * d_] + sum.cwiseInverse().sum());
  }
  void add_curvature(Mat& A) const override {
    const Index t = A.rows() - 1;
    A.topLeftCorner(d_, d_).selfadjointView<Eigen::Lower>().rankUpdate(slope_, stiffness_);
    A.row(t).head(d_) += stiffness_ * slope_.transpose();
    A(t, t) += stiffness_;
    for (Index j = 0; j < d_; ++j) A(j, j) += 4 * D_[j] * D_[d_ + j] / (D_[j] + D_[d_ + j]);
  }
  Vec at_rest(const Vec& aim) const override {
    const Vec pull = pairs.pull(aim, missing_), &y = pairs.multiplier;
    const double rho = y[2 * d_];
    const double spread = sum_over(d_, [&](Index j) {
      const double plus = y[j] + D_[j] * pull[j], minus = y[d_ + j] + D_[d_ + j] * pull[d_ + j];
      return (plus + minus - rho) / (D_[j] + D_[d_ + j]);
    });
    return exchange(
        stiffness_ * (pull[2 * d_] + spread), [&](Index j) { return pull[j] - pull[d_ + j]; },
        [&](Index j) { return rho - y[j] - y[d_ + j]; });
  }
  Vec response(const Vec& dw, double dt) const override {
    return exchange(
        -stiffness_ * (dt + slope_.dot(dw)), [&](Index j) { return 2 * dw[j]; },
        [](Index) { return 0.0; });
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
