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

#include "kernel/kernel_erm.h"
#include "run/visits.h"

namespace dualmargin::kernel {

class KernelState {
 public:
  KernelState(const KernelErm& problem, const Solution& start, Run& run)
      : problem_(problem),
        a_(start.a.size() == problem.n() ? start.a : Vec::Zero(problem.n())),
        b_(problem.free_intercept ? start.b : 0),
        centre_(b_),
        q_(problem.n()) {
    f_ = a_.isZero(0) ? Vec::Zero(problem.n())
                      : problem.scores(problem.coefficients(a_), problem.x.kernel(), run);
    if (problem.free_intercept) {
      // As in dual_state.h of the linear family, but larger: blocks and the subspace step bear a
      // large constant, and every move of the centre then leaves a hundredth of what is missing.
      // With 5 a fit took up to three times as many epochs, with 20 as many or a few less.
      double mean = 0;
      for (Index i = 0; i < problem.n(); ++i) {
        mean += problem.weights[i] * problem.x.squared_norm(i) / problem.total_weight;
      }
      const double gamma = problem.row_loss.smooth() ? problem.row_loss.gamma() : 1;
      constant_ = 100 * (problem.lambda() * gamma + mean / problem.total_weight);
      b_ += constant_ * problem.coefficients(a_).sum();
    }
    shares_ = problem.weights / problem.total_weight;
    for (Index i = 0; i < problem.n(); ++i) {
      q_[i] = -problem.beta_of(i) * (problem.x.squared_norm(i) + constant_);
    }
  }

  Index n() const { return problem_.n(); }
  double score(Index i) const { return f_[i] + b_; }
  // q of the coordinate's exact step: omega_i (K_ii + constant) / (W lambda)
  double q(Index i) const { return q_[i]; }
  // What every entry of the kernel is short of: the constants of the intercept.
  double constant() const { return problem_.x.constant() + constant_; }

  // What the subspace step asks for: omega / W, and phi* around a_i.
  const Vec& shares() const { return shares_; }
  double null_value() const { return problem_.null_value(); }
  DualPiece piece(Index i) const { return problem_.loss.dual_piece(a_[i], problem_.y[i]); }
  double conjugate(Index i, double t) const { return problem_.loss.conjugate(t, problem_.y[i]); }

  // a_i becomes t.
  void move(Index i, double t) {
    const double change = problem_.beta_of(i) * (t - a_[i]);
    a_[i] = t;
    if (change == 0) return;
    problem_.x.axpy(i, change, f_);
    b_ += constant_ * change;
  }
  // A block at once: rows and their new values.
  void move(const KernelBlock& block, const Index* rows, const Vec& t) {
    Vec change(t.size());
    for (Index k = 0; k < t.size(); ++k) {
      change[k] = problem_.beta_of(rows[k]) * (t[k] - a_[rows[k]]);
      a_[rows[k]] = t[k];
    }
    block.add(change, f_);
    const double total = change.sum();
    if (problem_.x.constant() != 0) f_.array() += problem_.x.constant() * total;
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

  const KernelErm& problem() const { return problem_; }
  const Vec& a() const { return a_; }
  const Vec& f() const { return f_; }
  double b() const { return b_; }

  // See KernelErm::certify_carried(). A certificate that was taken leaves its point behind,
  // balanced and exact; the method goes on from there if it has to.
  Certificate certify(Run& run) {
    Vec a = a_, f = f_;
    double b = b_;
    const Certificate c = problem_.certify_carried(a, f, b, run);
    if (!problem_.free_intercept) {
      f_ = f;
    } else if (run.within_tolerance(c)) {
      a_ = a;
      f_ = f;
      b_ = centre_ = b;
    }
    return c;
  }

  Solution solution(const char* solver) const { return {f_, b_, a_, solver}; }

 private:
  const KernelErm& problem_;
  Vec a_, f_;
  double b_, centre_, constant_ = 0;
  Vec q_, shares_;
};

}  // namespace dualmargin::kernel
