// Newton's method for the softmax problem, in the coefficients of the expansions. C. E. Rasmussen
// and C. K. I. Williams (2006), Gaussian Processes for Machine Learning, MIT Press, Algorithm 3.3;
// rows have weights here, and the step is followed by an exact line search.
//
//   min_\beta  P(f),   f_c = K \beta_c,   P as in softmax_problem.h
//
// With s_i = \omega_i / (W \lambda) and p_i the probabilities at f_i, the curvature of the losses
// is H = D - D R S^{-1} R' D: D the diagonal of the s_i p_{ic}, R the sum over the classes, S that
// of the s_i. A full step leads to
//
//   \beta = b - (K + H^+)^{-1} K b,   b = H f + s (t - p),
//   (K + H^+)^{-1} = E - E R (R' E R)^{-1} R' E,
//   E_c = D_c^{1/2} (I + D_c^{1/2} K D_c^{1/2})^{-1} D_c^{1/2},
//
// matrices of rows x rows, one for each class. Rows of weight zero have no part in it.
#pragma once

#include <vector>

#include "algebra/line_search.h"
#include "algebra/normal_matrix.h"
#include "kernel/softmax_problem.h"

namespace dualmargin::kernel {

// Each row of f: its probabilities.
inline Mat softmax(Mat f) {
  f.array().colwise() -= f.rowwise().maxCoeff().eval().array();
  f = f.array().exp();
  f.array().colwise() /= f.rowwise().sum().eval().array();
  return f;
}

class SoftmaxNewton {
 public:
  SoftmaxNewton(const SoftmaxProblem& problem, Tick& tick) : p_(problem), tick_(tick) {
    for (Index i = 0; i < p_.n(); ++i) {
      if (p_.weights[i] > 0) rows_.push_back(i);
    }
    const Index m = static_cast<Index>(rows_.size());
    K_.resize(m, m);
    Vec row(p_.n());
    for (Index r = 0; r < m; ++r) {
      row.setZero();
      p_.x().axpy(rows_[r], 1, row);
      for (Index l = 0; l < m; ++l) K_(l, r) = row[rows_[l]];
      tick_.poll();
    }
    strength_.resize(m);
    for (Index r = 0; r < m; ++r) strength_[r] = -p_.space.unit(rows_[r]);
  }

  Mat used(const Mat& of_all) const {
    Mat part(static_cast<Index>(rows_.size()), of_all.cols());
    for (Index r = 0; r < part.rows(); ++r) part.row(r) = of_all.row(rows_[r]);
    return part;
  }
  // What `rows` of `all` become.
  void place(const Mat& part, Mat& all) const {
    for (Index r = 0; r < part.rows(); ++r) all.row(rows_[r]) = part.row(r);
  }
  Mat times_kernel(const Mat& beta) const { return K_ * beta; }
  const Vec& strength() const { return strength_; }

  // The coefficients that a full step from f leads to; empty where a matrix cannot be factorised.
  Mat target(const Mat& f, const Mat& share) {
    const Index m = f.rows(), k = f.cols();
    const Mat p = softmax(f);
    const Vec mean = p.cwiseProduct(f).rowwise().sum();
    Mat b = p.cwiseProduct(f) - mean.asDiagonal() * p + share - p;
    b.array().colwise() *= strength_.array();
    std::vector<Mat> E(k);
    Mat sum = Mat::Zero(m, m), c(m, k);
    for (Index j = 0; j < k; ++j) {
      const Vec root = strength_.cwiseProduct(p.col(j)).cwiseSqrt();
      Mat A = root.asDiagonal() * K_ * root.asDiagonal();
      A.diagonal().array() += 1;
      Cholesky factor;
      if (!factor.factor(std::move(A), tick_)) return Mat();
      const Mat inverse = factor.inverse(tick_);
      if (inverse.size() == 0) return Mat();
      E[j] = root.asDiagonal() * inverse * root.asDiagonal();
      sum += E[j];
      c.col(j) = E[j] * (K_ * b.col(j));
    }
    Cholesky factor;
    if (!factor.factor(std::move(sum), tick_)) return Mat();
    const Vec shift = factor.solve(c.rowwise().sum());
    for (Index j = 0; j < k; ++j) b.col(j) += E[j] * shift - c.col(j);
    return b;
  }

 private:
  const SoftmaxProblem& p_;
  Tick& tick_;
  std::vector<Index> rows_;
  Mat K_;
  Vec strength_;  // s
};

inline SoftmaxSolution softmax_newton(const SoftmaxProblem& problem, const SoftmaxSolution& start,
                                      Run& run) {
  SoftmaxNewton newton(problem, run);
  const Index n = problem.n(), k = problem.classes();
  const Mat share = newton.used(problem.share);
  const bool warm = start.u.rows() == n && start.u.cols() == k;
  const bool own = start.beta.size() > 0;
  const SoftmaxDual from{warm ? start.u : problem.share};
  Mat beta = newton.used(own ? start.beta : problem.coefficients(from));
  Mat f = newton.times_kernel(beta);
  const Vec& s = newton.strength();
  SoftmaxSolution now;
  now.u = problem.share;
  const auto estimate = [&] {
    newton.place(softmax(f), now.u);
    now.f = problem.x().multiply(problem.coefficients(now), run);
    return problem.estimate(now, now, run);
  };
  const auto certify = [&] { return problem.certify(now, now, run); };

  while (run.proceed(estimate, certify, 0)) {
    const Mat target = newton.target(f, share);
    if (target.size() == 0) break;
    const Mat step = target - beta, df = newton.times_kernel(step);
    // P / lambda along the step
    const auto along = [&](double t) {
      const Mat p = softmax(f + t * df);
      const Vec mean = p.cwiseProduct(df).rowwise().sum();
      const double d = (beta + t * step).cwiseProduct(df).sum() +
                       s.dot((p - share).cwiseProduct(df).rowwise().sum());
      const Vec bend = p.cwiseProduct(df.cwiseAbs2()).rowwise().sum() - mean.cwiseAbs2();
      return LineSlope{d, d, step.cwiseProduct(df).sum() + s.dot(bend)};
    };
    const double t = exact_step(along(0).right, along);
    if (t == 0) break;
    beta += t * step;
    f += t * df;
    run.count_step();
    // measured beside the epochs of softmax_sdca.h
    run.spend(4 + static_cast<double>(f.rows()) / 12);
  }
  now.solver = "newton";
  return now;
}

}  // namespace dualmargin::kernel
