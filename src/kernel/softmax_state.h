// The dual point of a softmax problem and its scores, kept in step, as kernel_state.h. All entries
// are one vector, class after class, so that the subspace step sees n k variables of one problem.
//
//   a   u, entry i + n c
//   f   f_c(x_i), penalised intercepts included
#pragma once

#include "kernel/softmax_problem.h"

namespace dualmargin::kernel {

class SoftmaxState {
 public:
  SoftmaxState(const SoftmaxProblem& problem, const SoftmaxSolution& start, Tick& tick)
      : problem_(problem), q_(problem.n()) {
    const Index n = problem.n(), k = problem.classes();
    const bool warm = start.u.rows() == n && start.u.cols() == k;
    const Mat u = warm ? start.u : problem.share;
    const Mat f = problem.x().multiply(problem.coefficients({u}), tick);
    a_ = Eigen::Map<const Vec>(u.data(), n * k);
    f_ = Eigen::Map<const Vec>(f.data(), n * k);
    shares_ = (problem.weights / problem.total_weight).replicate(k, 1);
    for (Index i = 0; i < n; ++i) q_[i] = -problem.space.unit(i) * problem.x().squared_norm(i);
  }

  // What SubspaceStep asks for.
  const Vec& a() const { return a_; }
  const Vec& f() const { return f_; }
  double b() const { return 0; }
  double score(Index at) const { return f_[at]; }
  const Vec& shares() const { return shares_; }
  double null_value() const { return problem_.null_value(); }
  DualPiece piece(Index at) const { return Entropy::dual_piece(a_[at]); }
  double conjugate(Index, double u) const { return Entropy::conjugate(u); }
  void move(double step, const Vec& da, const Vec& df, double) {
    a_ += step * da;
    f_ += step * df;
  }

  // q of a row's exact step: omega_i (K_ii + constant) / (W lambda)
  double q(Index i) const { return q_[i]; }
  // Column j of z and u: scores and dual variables of row rows[j].
  void load(const Index* rows, Index count, Mat& z, Mat& u) const {
    const Index n = problem_.n(), k = problem_.classes();
    z.resize(k, count);
    u.resize(k, count);
    for (Index j = 0; j < count; ++j) {
      for (Index c = 0; c < k; ++c) {
        z(c, j) = f_[rows[j] + n * c];
        u(c, j) = a_[rows[j] + n * c];
      }
    }
  }
  // The rows take the values in u; returns how many of them changed.
  Index move(const KernelBlock& block, const Index* rows, const Mat& u) {
    const Index n = problem_.n(), k = problem_.classes(), count = u.cols();
    Mat change(count, k);
    Index moved = 0;
    for (Index j = 0; j < count; ++j) {
      bool moves = false;
      for (Index c = 0; c < k; ++c) {
        double& own = a_[rows[j] + n * c];
        moves = moves || own != u(c, j);
        change(j, c) = problem_.space.unit(rows[j]) * (u(c, j) - own);
        own = u(c, j);
      }
      moved += moves;
    }
    Eigen::Map<Mat> f(f_.data(), n, k);
    block.add(change, f);
    if (problem_.x().constant() != 0)
      f.rowwise() += problem_.x().constant() * change.colwise().sum();
    return moved;
  }

  // The loop condition of what works on it. The certificate leaves its scores behind.
  bool proceed(Run& run) {
    SoftmaxSolution s = solution("");
    const auto estimate = [&] { return problem_.estimate(s, s, run); };
    const auto certify = [&] {
      const Certificate c = problem_.certify(s, s, run);
      f_ = Eigen::Map<const Vec>(s.f.data(), s.f.size());
      return c;
    };
    return run.proceed(estimate, certify, 0);
  }

  // Rows back on the simplex to the last digit: steps of the subspace leave it by some roundings.
  SoftmaxSolution solution(const char* solver) const {
    const Index n = problem_.n(), k = problem_.classes();
    SoftmaxSolution s;
    s.u = Eigen::Map<const Mat>(a_.data(), n, k);
    s.u.array().colwise() /= s.u.rowwise().sum().eval().array();
    s.f = Eigen::Map<const Mat>(f_.data(), n, k);
    s.solver = solver;
    return s;
  }

 private:
  const SoftmaxProblem& problem_;
  Vec a_, f_, shares_, q_;
};

}  // namespace dualmargin::kernel
