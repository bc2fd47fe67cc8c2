// A dual point together with the primal point that belongs to it, kept in step row by row: what the
// dual coordinate methods share. The penalty may carry a proximal term,
//
//   g~(w) = g(w) + kappa/2 |w|^2 - kappa w'c
//
//   a   dual variables                    v   kappa c - (1/W) sum_i omega_i a_i x_i
//   w   grad g~*(v - kappa c) = S(v, l1) / (l2 + kappa)
//
// A free intercept couples all coordinates by sum omega_i a_i = 0. Here it has a proximal term of
// its own instead, k/2 (b - b_c)^2, under which
//
//   b   b_c - (1/W) sum_i omega_i a_i / k
//
// behaves like the weight of one more column; moving b_c to b now and then is the method of
// multipliers for the constraint.
#pragma once

#include "linear/erm.h"
#include "run/visits.h"

namespace dualmargin::linear {

template <class Problem>
class DualState {
 public:
  DualState(const Problem& problem, const Solution& start, double kappa, Tick& tick)
      : problem_(problem),
        kappa_(kappa),
        strength_(problem.penalty.l2 + kappa),
        a_(start.a.size() == problem.n() ? start.a : Vec::Zero(problem.n())),
        centre_(Vec::Zero(problem.x.dim())),
        b_(start.b),
        b_centre_(start.b) {
    v_ = -problem.dual_sum(a_, tick);
    w_ = v_.unaryExpr([this](double v) { return weight(v); });
    if (ridge()) v_.resize(0);
    Vec norm2(problem.n());
    for (Index i = 0; i < problem.n(); ++i) norm2[i] = problem.x.squared_norm(i);
    if (problem.free_intercept) {
      const double share = problem.weights.cwiseProduct(a_).sum() / problem.total_weight;
      // about the curvature of min_w P in b, and below it: every move of b_c leaves a sixth of what
      // is missing
      const double mean = problem.weights.dot(norm2) / problem.total_weight;
      const double gamma = problem.row_loss.smooth() ? problem.row_loss.gamma() : 1;
      b_strength_ = 0.2 / (gamma + mean / (problem.total_weight * strength_));
      b_ -= share / b_strength_;
      norm2.array() += strength_ / b_strength_;
    }
    q_ = problem.weights.cwiseProduct(norm2) / (problem.total_weight * strength_);
  }

  // Exact maximisation of the dual objective in coordinate i, q_i = omega_i |x_i|^2 / (W (l2 +
  // kappa)). A row of norm zero takes its slope at once; skipped, it would keep the gap open.
  bool ascend(Index i) { return step(i, q_[i]); }
  // Best response to w: the maximiser of the saddle function in coordinate i, the slope of the
  // loss.
  bool respond(Index i) { return step(i, 0); }

  // The proximal centre c; O(dim).
  void recentre(const Vec& c) {
    if (ridge()) {
      w_ += kappa_ / strength_ * (c - centre_);
    } else {
      v_ += kappa_ * (c - centre_);
      w_ = v_.unaryExpr([this](double v) { return weight(v); });
    }
    centre_ = c;
  }

  // b_c <- b, and b follows.
  void recentre_intercept() {
    const double step = b_ - b_centre_;
    b_centre_ = b_;
    b_ += step;
  }

  // The gap of the problem with the proximal term: g~(w) + g~*(-u) + u'w = 0 at this w.
  double inner_gap(Tick& tick) const {
    const Vec z = problem_.margins(w_, tick);
    return problem_.row_loss.fenchel_gap(problem_.weights, z, a_, 1, problem_.y) /
           problem_.total_weight;
  }

  const Vec& a() const { return a_; }
  const Vec& w() const { return w_; }
  double b() const { return b_; }

 private:
  // w is then a multiple of v, which need not be kept.
  bool ridge() const { return problem_.penalty.l1 == 0; }
  double weight(double v) const { return soft_threshold(v, problem_.penalty.l1) / strength_; }

  // Says whether a_i changed.
  bool step(Index i, double q) {
    const double z = problem_.x.dot(i, w_) + b_;
    const double t = problem_.loss.dual_step(z, problem_.y[i], a_[i], q);
    const double change = problem_.weights[i] * (a_[i] - t) / problem_.total_weight;
    const bool moved = t != a_[i];
    a_[i] = t;
    if (change == 0) return moved;
    if (problem_.free_intercept) b_ += change / b_strength_;
    if (ridge()) {
      problem_.x.axpy(i, change / strength_, w_);
    } else {
      problem_.x.for_each(i, [&](Index j, double x) {
        v_[j] += change * x;
        w_[j] = weight(v_[j]);
      });
    }
    return moved;
  }

  const Problem& problem_;
  double kappa_, strength_;
  Vec a_, v_, centre_, w_, q_;
  double b_, b_centre_, b_strength_ = 0;
};

// A certificate of a dual point costs two half passes in the order of memory.
constexpr double dual_price = 0.5;

// One stage of a proximal point method: `passes` epochs of pass(), or, where a tolerance is set, as
// many as bring the gap of the inner problem below it.
template <class State, class Pass>
void run_stage(const State& state, double passes, double tolerance, Run& run, Pass pass) {
  const bool fixed = tolerance == 0;
  for (double done = 0; (done < passes || !fixed) && !run.exhausted(); ++done) {
    pass();
    run.spend(1);
    if (fixed) continue;
    run.spend(0.5);  // the inner gap is half a pass
    if (state.inner_gap(run) <= tolerance) break;
  }
}

}  // namespace dualmargin::linear
