// A dual point with the scores that belong to it, kept in step: what the methods of this family
// that move one row or one block of rows at a time share.
//
//   a   dual variables
//   f   f_a(x_i) = sum_j beta_j k(x_j, x_i), beta_j = -omega_j a_j / (W lambda); a penalised
//       intercept is part of it
//   b   free intercept. Under a proximal term strength/2 (b - b_c)^2 it behaves like the constant
//       lambda / strength in the kernel, and moving b_c to b now and then is the method of
//       multipliers for the constraint sum omega_i a_i = 0.
#pragma once

#include "kernel/kernel_problem.h"
#include "run/visits.h"

namespace dualmargin::kernel {

class KernelState {
 public:
  KernelState(const KernelProblem& problem, const Solution& start, Tick& tick)
      : problem_(problem),
        a_(start.a.size() == problem.n() ? start.a : problem.zero()),
        b_(problem.free_intercept ? start.b : 0),
        centre_(b_),
        q_(problem.n()) {
    const Vec beta = problem.space.coefficients(a_);
    f_ = problem.x().multiply(beta, tick);
    if (problem.free_intercept) {
      // As in dual_state.h of the linear family, but larger: blocks and the subspace step bear a
      // large constant, and every move of the centre then leaves a hundredth of what is missing.
      // With 5 a fit took up to three times as many epochs, with 20 as many or a few less.
      const double mean = problem.space.mean_square(problem.weights);
      constant_ = 100 * (problem.space.lambda() * problem.gamma() + mean / problem.total_weight);
      b_ += constant_ * beta.sum();
    }
    shares_ = problem.weights / problem.total_weight;
    for (Index i = 0; i < problem.n(); ++i) {
      q_[i] = -problem.space.unit(i) * (problem.x().squared_norm(i) + constant_);
    }
  }

  Index n() const { return problem_.n(); }
  double score(Index i) const { return f_[i] + b_; }
  // q of the coordinate's exact step: omega_i (K_ii + constant) / (W lambda)
  double q(Index i) const { return q_[i]; }
  // What every entry of the kernel is short of: the constants of the intercept.
  double constant() const { return problem_.x().constant() + constant_; }

  // What the subspace step asks for: omega / W, and phi* around a_i.
  const Vec& shares() const { return shares_; }
  double null_value() const { return problem_.null_value(); }
  DualPiece piece(Index i) const { return problem_.loss.dual_piece(a_[i], problem_.y[i]); }
  double conjugate(Index i, double t) const { return problem_.loss.conjugate(t, problem_.y[i]); }

  // a_i becomes t.
  void move(Index i, double t) {
    const double change = problem_.space.unit(i) * (t - a_[i]);
    a_[i] = t;
    if (change == 0) return;
    problem_.x().axpy(i, change, f_);
    b_ += constant_ * change;
  }
  // A block at once: rows and their new values.
  void move(const KernelBlock& block, const Index* rows, const Vec& t) {
    Vec change(t.size());
    for (Index k = 0; k < t.size(); ++k) {
      change[k] = problem_.space.unit(rows[k]) * (t[k] - a_[rows[k]]);
      a_[rows[k]] = t[k];
    }
    block.add(change, f_);
    const double total = change.sum();
    if (problem_.x().constant() != 0) f_.array() += problem_.x().constant() * total;
    b_ += constant_ * total;
  }
  // Along a direction whose scores are known.
  void move(double step, const Vec& da, const Vec& df, double db) {
    a_ += step * da;
    f_ += step * df;
    b_ += step * db;
  }

  void recentre_intercept() {
    const double step = b_ - centre_;
    centre_ = b_;
    b_ += step;
  }

  const KernelProblem& problem() const { return problem_; }
  const Vec& a() const { return a_; }
  const Vec& f() const { return f_; }
  double b() const { return b_; }

  // The loop condition of what works on it. A certificate that was taken leaves its point behind,
  // balanced and exact; the method goes on from there if it has to.
  bool proceed(Run& run) {
    Solution s = solution("");
    const auto estimate = [&] { return problem_.estimate(s, s, run); };
    const auto certify = [&] {
      const Certificate c = problem_.certify(s, s, run);
      if (!problem_.free_intercept) {
        f_ = s.f;
      } else if (run.within_tolerance(c)) {
        a_ = s.a;
        f_ = s.f;
        b_ = centre_ = s.b;
      }
      return c;
    };
    return run.proceed(estimate, certify, 0);
  }

  Solution solution(const char* solver) const { return {{f_, Vec(), b_}, {a_}, solver}; }

 private:
  const KernelProblem& problem_;
  Vec a_, f_;
  double b_, centre_, constant_ = 0;
  Vec q_, shares_;
};

}  // namespace dualmargin::kernel
