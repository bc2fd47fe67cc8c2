// A dual point together with the primal point that belongs to it, kept in step row by row: what the
// dual coordinate methods share. The penalty may carry a proximal term,
//
//   g~(w) = g(w) + kappa/2 |w|^2 - kappa w'c
//
//   a   dual variables                    v   kappa c - (1/W) sum_i omega_i a_i x_i
//   w   grad g~*(v - kappa c) = S(v, l1) / (l2 + kappa), within bounds where columns have them
//
// A free intercept couples all coordinates by sum omega_i a_i = 0. Here it has a proximal term of
// its own instead, k/2 (b - b_c)^2, under which
//
//   b   b_c - (1/W) sum_i omega_i a_i / k
//
// behaves like the weight of one more column; moving b_c to b now and then is the method of
// multipliers for the constraint.
#pragma once

#include <vector>

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

template <class RowsByType>  // the rows, by their type
class DualState {
 public:
  DualState(const LinearProblem& problem, const RowsByType& rows, const Solution& start,
            double kappa, Tick& tick)
      : problem_(problem),
        rows_(rows),
        loss_(problem.losses.loss),
        kappa_(kappa),
        strength_(problem.penalty.l2 + kappa),
        net_{problem.penalty.l1, strength_, problem.penalty.columns},
        centre_(Vec::Zero(problem.dim())),
        b_(start.b),
        b_centre_(start.b) {
    const RowVec a = start.a.size() == problem.n() ? start.a : RowVec::Zero(problem.n());
    const bool begun = rows.any([&](Index i) { return a[i] != 0; });
    v_ = begun ? Vec(-problem.dual_sum(a, tick)) : centre_;
    w_ = net_.grad_conjugate(v_);
    if (ridge()) v_.resize(0);
    const RowVec& squares = rows.squared_norms();
    double more = 0;  // of the intercept
    if (problem.losses.free_intercept) {
      // about the curvature of min_w P in b, and below it: every move of b_c leaves a sixth of what
      // is missing
      const double sum = rows.sum([&](Index i) { return rows.share(i) * squares[i]; });
      const double mean = sum / (rows.total_weight * strength_);
      b_strength_ = 0.2 / (problem.losses.gamma() + mean);
      b_ -= rows.sum([&](Index i) { return rows.share(i) * a[i]; }) / b_strength_;
      more = strength_ / b_strength_;
    }
    row_.reserve(static_cast<std::size_t>(problem.n()));
    for (Index i = 0; i < problem.n(); ++i) {
      const double share = rows.share(i) / strength_;
      row_.push_back({a[i], rows.y[i], share * (squares[i] + more), share});
    }
  }

  // The score of a row, and its dual variable before and after.
  struct Step {
    double z, from, to;
  };
  // Exact maximisation of the dual objective in coordinate i, q_i = omega_i |x_i|^2 / (W (l2 +
  // kappa)). A row of norm zero takes its slope at once; skipped, it would keep the gap open.
  Step ascend(Index i) { return step(row_[i], i, row_[i].q); }
  // Best response to w: the maximiser of the saddle function in coordinate i, the slope of the
  // loss.
  void respond(Index i) { step(row_[i], i, 0); }

  // The proximal centre c; O(dim).
  void recentre(const Vec& c) {
    if (ridge()) {
      w_ += kappa_ / strength_ * (c - centre_);
    } else {
      v_ += kappa_ * (c - centre_);
      w_ = net_.grad_conjugate(v_);
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
    return problem_.losses.fenchel(problem_.rows.multiply(w_, tick), a(), 1).gap;
  }

  RowVec a() const {
    return RowVec::of(problem_.n(), [&](Index i) { return row_[i].a; });
  }
  const Vec& w() const { return w_; }
  double b() const { return b_; }

 private:
  // w is then a multiple of v, which need not be kept.
  bool ridge() const { return net_.l1 == 0 && net_.columns == nullptr; }

  // What a step asks of a row, side by side: half a line of a cache.
  struct Row {
    double a, y, q, share;  // share: omega_i / (W (l2 + kappa))
  };

  // The products of the row belong into it: in a unit of many methods the compiler calls them, which
  // is a fifth of the time on rows of 20 entries.
  [[gnu::flatten]] Step step(Row& row, Index i, double q) {
    const double z = rows_.dot(i, w_) + b_ + problem_.losses.offset_of(i);
    const double from = row.a, to = loss_.dual_step(z, row.y, from, q);
    row.a = to;
    const double change = row.share * (from - to);
    if (change == 0) return {z, from, to};
    if (problem_.losses.free_intercept) b_ += strength_ / b_strength_ * change;
    if (ridge()) {
      rows_.axpy(i, change, w_);
    } else {
      rows_.for_each(i, [&](Index j, double x) {
        v_[j] += strength_ * change * x;
        w_[j] = net_.grad_conjugate(j, v_[j]);
      });
    }
    return {z, from, to};
  }

  const LinearProblem& problem_;
  const RowsByType& rows_;
  const Loss& loss_;
  double kappa_, strength_;
  const ElasticNet net_;  // with the proximal term
  std::vector<Row> row_;
  Vec v_, centre_, w_;
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
