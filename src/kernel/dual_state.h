// A dual point with the scores that belong to it, kept in step: what the methods of this family
// that move one row or one block of rows at a time share.
//
//   a   dual variables, that of row i and function c at i + n c
//   f   f_c(x_i) of the function of a; a penalised intercept is part of it
//   b   free intercept, of each function. Under a proximal term strength/2 (b - b_c)^2 it behaves
//       like the constant lambda / strength in the kernel, and moving b_c to b now and then is the
//       method of multipliers for the constraint sum omega_i a_i = 0.
#pragma once

#include "kernel/kernel_problem.h"
#include "run/visits.h"

namespace dualmargin::kernel {

template <class Problem>
class DualState {
 public:
  using Array = typename Problem::Array;
  using Solution = typename Problem::Solution;

  DualState(const Problem& problem, const Solution& start, Tick& tick)
      : problem_(problem), free_(problem.losses.free_intercept), q_(problem.n()) {
    const Array a = problem.dual_or_rest(start.a), beta = problem.coefficients({a});
    const Array f = problem.x().multiply(beta, tick);
    b_ = free_ ? listed(start.b) : Vec::Zero(a.cols());
    if (b_.size() == 0) b_ = listed(problem.losses.best_intercept(f, start.b));
    centre_ = b_;
    a_ = Eigen::Map<const Vec>(a.data(), a.size());
    f_ = Eigen::Map<const Vec>(f.data(), f.size());
    const Vec& omega = problem.losses.omega.local();
    const double total_weight = problem.losses.total_weight;
    if (free_) {
      // As in dual_state.h of the linear family, but larger: blocks and the subspace step bear a
      // large constant, and every move of the centre then leaves a hundredth of what is missing.
      // With 5 a fit took up to three times as many epochs, with 20 as many or a few less.
      const double mean = problem.space.mean_square(), gamma = problem.losses.gamma();
      constant_ = 100 * (problem.space.lambda() * gamma + mean / total_weight);
      b_ += constant_ * beta.colwise().sum().transpose();
    }
    shares_ = (omega / total_weight).replicate(a.cols(), 1);
    for (Index i = 0; i < problem.n(); ++i) {
      q_[i] = -problem.space.unit(i) * (problem.x().squared_norm(i) + constant_);
    }
  }

  double score(Index at) const { return f_[at] + b_[b_.size() == 1 ? 0 : at / problem_.n()]; }
  // q of the coordinate's exact step: omega_i (K_ii + constant) / (W lambda)
  double q(Index i) const { return q_[i]; }
  // What every entry of the kernel is short of: the constants of the intercept.
  double constant() const { return problem_.x().constant() + constant_; }

  // What the subspace step asks for: omega / W, and phi* around an entry of a.
  const Vec& shares() const { return shares_; }
  double null_value() const { return problem_.null_value(); }
  DualPiece piece(Index at) const { return problem_.losses.dual_piece(at, a_[at]); }
  double conjugate(Index at, double t) const { return problem_.losses.conjugate(at, t); }

  // Scores and dual variables of some rows.
  void load(const Index* rows, Index count, Array& z, Array& a) const {
    const Index n = problem_.n(), k = a_.size() / n;
    z.resize(count, k);
    a.resize(count, k);
    for (Index c = 0; c < k; ++c) {
      for (Index j = 0; j < count; ++j) {
        z(j, c) = score(rows[j] + n * c);
        a(j, c) = a_[rows[j] + n * c];
      }
    }
  }
  // They take new values; returns how many rows changed.
  Index move(const KernelBlock& block, const Index* rows, const Array& a) {
    const Index n = problem_.n();
    Array change = a;
    for (Index c = 0; c < a.cols(); ++c) {
      for (Index j = 0; j < a.rows(); ++j) {
        double& own = a_[rows[j] + n * c];
        change(j, c) -= own;
        own = a(j, c);
      }
    }
    const Index moved = (change.array() != 0).rowwise().any().count();
    for (Index j = 0; j < a.rows(); ++j) change.row(j) *= problem_.space.unit(rows[j]);
    Eigen::Map<Mat> f(f_.data(), n, a.cols());
    block.add(change, f);
    if (problem_.x().constant() != 0) {
      f.rowwise() += problem_.x().constant() * change.colwise().sum();
    }
    b_ += constant_ * change.colwise().sum().transpose();
    return moved;
  }
  // Of one function: a_i becomes t.
  void move(Index i, double t) {
    const double change = problem_.space.unit(i) * (t - a_[i]);
    a_[i] = t;
    if (change == 0) return;
    problem_.x().axpy(i, change, f_);
    b_[0] += constant_ * change;
  }
  // Along a direction whose scores are known.
  void move(double step, const Vec& da, const Vec& df, const Vec& db) {
    a_ += step * da;
    f_ += step * df;
    b_ += step * db;
  }

  void recentre_intercept() {
    const Vec step = b_ - centre_;
    centre_ = b_;
    b_ += step;
  }

  const Problem& problem() const { return problem_; }
  const Vec& a() const { return a_; }
  const Vec& f() const { return f_; }
  const Vec& b() const { return b_; }

  // The loop condition of what works on it. A certificate that was taken leaves its point behind,
  // balanced and exact; the method goes on from there if it has to.
  bool proceed(Run& run) {
    Solution s = solution("");
    const auto estimate = [&] { return problem_.estimate(s, s, run); };
    const auto certify = [&] {
      const Certificate c = problem_.certify(s, s, run);
      const bool whole = free_ && run.within_tolerance(c);
      if (whole) a_ = Eigen::Map<const Vec>(s.a.data(), s.a.size());
      if (whole) b_ = centre_ = listed(s.b);
      if (whole || !free_) f_ = Eigen::Map<const Vec>(s.f.data(), s.f.size());
      return c;
    };
    return run.proceed(estimate, certify, 0);
  }

  Solution solution(const char* solver) const {
    const Index n = problem_.n(), k = a_.size() / n;
    const auto array = [&](const Vec& v) { return Eigen::Map<const Array>(v.data(), n, k); };
    return {{array(f_), Array(), unlisted<Array>(b_)}, {array(a_)}, solver};
  }

 private:
  const Problem& problem_;
  bool free_;
  Vec a_, f_, b_, centre_;
  double constant_ = 0;
  Vec q_, shares_;
};

using KernelState = DualState<KernelProblem>;

}  // namespace dualmargin::kernel
