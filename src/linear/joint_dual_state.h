// A dual point of a problem of all classes with the primal point that belongs to it, kept in step row
// by row, as dual_state.h has them of one score:
//
//   u   dual variables, on the simplex       w   -(1/(W \lambda)) \sum_i \omega_i a_i x_i, a column
//                                                for each coordinate of x
//
// The constraint of free intercepts, d = (1/W) \sum_i \omega_i a_i = 0, couples the rows. It goes
// into an augmented Lagrangian, D(u) + c^\top d - r/(2 \lambda) |d|^2, with the multipliers moved to
// c - r/\lambda d after every pass (R. T. Rockafellar (1976), Augmented Lagrangians and applications
// of the proximal point algorithm in convex programming, Mathematics of Operations Research 1,
// 97-116). In u that is one more coordinate of every row, of square r:
//
//   b   c - r/\lambda d, the intercepts, kept in step; where c moves to b, b moves by b - c
//
// With the other rows as they are, row i has the step  argmax_s  s^\top z_i - \phi^*(s - e_{y_i})
// - q_i/2 |s - u_i|^2  over the simplex,  q_i = \omega_i (|x_i|^2 + r) / (W \lambda).
#pragma once

#include "linear/problem.h"
#include "run/run.h"

namespace dualmargin::linear {

template <class RowsByType>  // the rows, by their type
class JointDualState {
 public:
  JointDualState(const JointProblem& problem, const RowsByType& rows, const JointSolution& start,
                 Tick& tick)
      : losses_(problem.losses),
        rows_(rows),
        squares_(rows.squared_norms()),
        lambda_(problem.penalty.l2),
        u_(start.a),
        b_(start.b),
        centre_(start.b),
        z_(losses_.classes()),
        to_(z_),
        change_(z_) {
    const Index k = losses_.classes();
    if (u_.width() != k || u_.size() != rows.n()) u_ = losses_.rest();
    w_ = -problem.dual_sum(u_, tick).transpose() / lambda_;
    if (!losses_.free_intercept) return;
    // r: of 3843 columns of text, scaled and not, .01 to .1 of the mean square took 45 to 80 epochs,
    // .001 and 1 up to 320
    const double mean = rows.sum([&](Index i) { return rows.share(i) * squares_[i]; });
    r_ = mean > 0 ? 0.03 * mean : 1.0;
    b_ -= r_ / lambda_ * losses_.drift(u_);
  }

  // The step of a row. violation: how far its scores are from those at which phi has the slope a_i
  // where it moves, or else how far they may move for it to stay.
  struct Step {
    bool moves;
    double violation, distance;
  };
  Step ascend(Index i) {
    const double share = rows_.share(i) / lambda_;
    z_ = b_;
    rows_.for_each(i, [&](Index j, double x) { z_ += x * w_.col(j); });
    to_ = u_[i];
    losses_.loss.dual_step(z_.data(), losses_.y[i], share * (squares_[i] + r_), to_.data());
    z_.array() += losses_.loss.margin;
    z_[losses_.y[i]] -= losses_.loss.margin;
    change_ = share * (u_[i] - to_);
    if (change_.isZero(0)) return {false, 0, at_vertex()};
    const double violation = z_.maxCoeff() - least_in_use(u_[i]);
    u_[i] = to_;
    b_ += r_ * change_;
    rows_.for_each(i, [&](Index j, double x) { w_.col(j) += x * change_; });
    return {true, violation, 0};
  }

  // c <- b, and b follows.
  void recentre_intercept() {
    const Vec moved = b_ - centre_;
    centre_ = b_;
    b_ += moved;
  }

  const RowMat& a() const { return u_; }
  const Vec& b() const { return b_; }

 private:
  template <class U>
  double least_in_use(const U& u) const {
    return (u.array() > 0).select(z_.array(), HUGE_VAL).minCoeff();
  }
  // How far the class whose variable is 1 is ahead; 0 where there is none.
  double at_vertex() const {
    Index top = 0;
    if (to_.maxCoeff(&top) < 1) return 0;
    double next = -HUGE_VAL;
    for (Index c = 0; c < z_.size(); ++c) {
      if (c != top) next = std::max(next, z_[c]);
    }
    return z_[top] - next;
  }

  const ClassLosses& losses_;
  const RowsByType& rows_;
  const RowVec& squares_;
  const double lambda_;
  RowMat u_;
  Mat w_;
  Vec b_, centre_;
  double r_ = 0;
  Vec z_, to_, change_;  // of the row of a step
};

}  // namespace dualmargin::linear
