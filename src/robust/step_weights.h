// The weights w during a proximal step of one row z = y x: where a pull r along z leads them,
//
//   epigraph: (w, t) <- argmin (m/2) |w' - (w + r z) / m|^2 + (t' - t)^2 / 2   over  |w'|_q <= t',
//   ball:      w     <- argmin       |w' - (w + r z) / m|^2                    over  |w'|_q <= t.
//
// Both return z'w'; begin(i, |x_i|^2) returns z'w; accept() makes the point of the last call the
// new w.
#pragma once

#include "robust/robust_svm.h"

namespace dualmargin::robust {

// Any norm, O(dim) a call.
class DenseWeights {
 public:
  DenseWeights(const RobustSvm& problem, const Vec& w) : p_(problem), w_(w) {}

  double begin(Index i, double) {
    row_ = i;
    return p_.rows.y[i] * p_.rows.dot(i, w_);
  }
  double epigraph(double r, double m, double& t) {
    pull(r, m);
    p_.cone.project_epigraph(m, next_, t);
    return p_.rows.y[row_] * p_.rows.dot(row_, next_);
  }
  // force: nu of project_ball()
  double ball(double r, double m, double t, double& force) {
    pull(r, m);
    force = p_.cone.project_ball(t, next_);
    return p_.rows.y[row_] * p_.rows.dot(row_, next_);
  }
  void accept() { w_.swap(next_); }
  const Vec& w() { return w_; }

 private:
  void pull(double r, double m) {
    next_ = w_ / m;
    if (r != 0) p_.rows.axpy(row_, p_.rows.y[row_] * r / m, next_);
  }

  const RobustSvm& p_;
  Vec w_, next_;
  Index row_ = 0;
};

// q = 2: every call needs |w|^2, w'z and |z|^2 only, so a step costs O(nonzeros of the row).
class ScaledWeights {
 public:
  ScaledWeights(const RobustSvm& problem, const Vec& w)
      : p_(problem), vector_(w), square_(w.squaredNorm()) {}

  double begin(Index i, double square) {
    row_ = i;
    along_ = scale_ * p_.rows.y[i] * p_.rows.dot(i, vector_);
    own_ = square;
    return along_;
  }
  double epigraph(double r, double m, double& t) {
    const double size = pull(r) / m;
    keep_ = 1 / m;
    if (size > t) {
      // as project_epigraph()
      const double inner = m * size <= -t ? 0 : (m * size + t) / (m + 1);
      keep_ = inner > 0 ? keep_ * inner / size : 0;
      t = inner;
    }
    return keep_ * (along_ + r * own_);
  }
  double ball(double r, double m, double t, double& force) {
    const double size = pull(r) / m;
    force = std::max(size - t, 0.0);
    keep_ = (force > 0 ? t / size : 1) / m;
    return keep_ * (along_ + r * own_);
  }
  void accept() {
    const double before = square_;
    square_ = next_square_ * keep_ * keep_;
    if (keep_ == 0) {
      vector_.setZero();
      scale_ = 1;
      return;
    }
    if (pull_ != 0) p_.rows.axpy(row_, p_.rows.y[row_] * pull_ / scale_, vector_);
    scale_ *= keep_;
    // digits were lost, or soon will be
    if (next_square_ < 1e-6 * before || std::abs(std::log(scale_)) > 20) w();
  }
  // w itself, and everything that is kept along with it computed anew; once an epoch
  const Vec& w() {
    vector_ *= scale_;
    scale_ = 1;
    square_ = vector_.squaredNorm();
    return vector_;
  }

 private:
  double pull(double r) {
    pull_ = r;
    next_square_ = std::max(square_ + r * (2 * along_ + r * own_), 0.0);
    return std::sqrt(next_square_);
  }

  const RobustSvm& p_;
  Vec vector_;                 // w = scale_ vector_
  double scale_ = 1, square_;  // square_ = |w|^2
  Index row_ = 0;
  double along_ = 0, own_ = 0;                    // w'z and |z|^2
  double pull_ = 0, next_square_ = 0, keep_ = 1;  // of the last call
};

}  // namespace dualmargin::robust
