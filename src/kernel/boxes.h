// The dual problem of a piecewise linear loss as a quadratic program with boxes. Each kink of a
// row's loss, s_k the score at which it is, has a variable; both of a row see its kernel values.
//
//   max_c  sum_k s_k c_k - 1/2 beta' K beta,   beta_i = sum of the c_k of row i
//
// over boxes, and sum_k c_k = 0 where the intercept is free. It is the dual problem of
// kernel_problem.h divided by lambda; with r = omega_i / (W lambda) the boxes are
//
//   plain hinge with the soft label y   0 <= c <= r (1 + y)/2 for s = 1,
//                                       -r (1 - y)/2 <= c <= 0 for s = -1
//   quantile loss                       (tau - 1) r <= c <= tau r for s = y
//
// Variables at an end of their box that only want to go further out rest: nothing of theirs is
// brought up to date until all are woken.
//
//   c    all variables                    f   scores of all rows, as of the last wake()
#pragma once

#include <algorithm>
#include <vector>

#include "kernel/active_variables.h"
#include "kernel/kernel_problem.h"

namespace dualmargin::kernel {

class Boxes : private ActiveVariables {
 public:
  using ActiveVariables::first;
  using ActiveVariables::violation;

  Boxes(const KernelProblem& problem, const Solution& start, Tick& tick)
      : problem_(problem), b_(start.b), a_(problem.zero()) {
    constexpr double far = 1e300;
    const Index n = problem.n();
    if (start.a.size() == n) a_ = start.a;
    problem.losses.balance(a_);
    for (Index i = 0; i < n; ++i) {
      const double rate = -problem.space.unit(i), p = -problem.loss.slope(-far, problem.y[i]);
      if (!(rate > 0)) continue;
      const auto [first, second] = problem.loss.kinks(problem.y[i]);
      // u - v = -a with u, v as large as can be: phi* adds both of them up
      const double t = std::clamp(-a_[i], p - first.rise - second.rise, p);
      const double u = std::min(p, second.rise + t);
      if (first.rise > 0) {
        box_.push_back({i, first.at, rate * (p - first.rise), rate * p, rate * u});
      }
      if (second.rise > 0) {
        box_.push_back({i, second.at, -rate * second.rise, 0, rate * (t - u)});
      }
    }
    synced_ = coefficients();
    f_ = problem.x().multiply(synced_, tick);
    activate_all();
  }

  // ---- Choice of variables ----

  Index row(Index k) const { return row_[k]; }

  // With first() as i, the j that promises most; i itself where none promises anything.
  //   free intercept  WSS 2 of Fan, Chen, Lin: (g_i - g_j)^2 / (K_ii + K_jj - 2 K_ij)
  //   otherwise       what a step in j adds to that in i, of length t: (g_j - K_ij t)^2 / e, where
  //                   e = K_jj - K_ij^2 / K_ii as long as the step in i stays inside its box
  template <class Scalar>
  Index second(const Scalar* row_i) const {
    const double top = g_[first_], own = diagonal_[first_];
    if (problem_.free_intercept) {
      return most_promising([&](Index k, double& d, double& eta) {
        d = top - g_[k];
        eta = own + diagonal_[k] - 2.0 * row_i[row_[k]];
        return (can_[k] & can_fall) && d > 0;
      });
    }
    const double constant = problem_.x().constant(), free = top / std::max(own, least_eta);
    const Box& v = box_[id_[first_]];
    const double t = std::clamp(free, v.low - v.c, v.high - v.c),
                 inside = t == free ? 1 / std::max(own, least_eta) : 0;
    return most_promising([&](Index k, double& d, double& eta) {
      const double entry = row_i[row_[k]] + constant;
      d = g_[k] - entry * t;
      eta = diagonal_[k] - entry * entry * inside;
      return (can_[k] & (d > 0 ? can_grow : can_fall)) && k != first_;
    });
  }

  // ---- Steps, each with the next choice of first() ----

  template <class Scalar>
  void step(Index i, Index j, const Scalar* row_i, const Scalar* row_j) {
    const double constant = problem_.x().constant();
    Box &u = box_[id_[i]], &v = box_[id_[j]];
    const PairModel model{g_[i], g_[j], diagonal_[i], diagonal_[j], row_i[row_[j]] + constant};
    const PairStep t = problem_.free_intercept ? along_difference(model, u, v)
                       : i == j                ? in_one(model, u)
                                               : in_both(model, u, v);
    can_[i] = freedom(u);
    can_[j] = freedom(v);
    const double shift = constant * (t.i + t.j);
    const auto update = [&](Index k) {
      return g_[k] -= t.i * row_i[row_[k]] + t.j * row_j[row_[k]] + shift;
    };
    if (problem_.free_intercept) {
      choose_pair(update);
    } else {
      choose_single(update);
    }
  }

  // ---- Shrinking ----

  // Rests the variables at a bound which no pair that violates the conditions contains.
  void shrink() {
    Index kept = 0;
    for (Index k = 0; k < active(); ++k) {
      const bool rests = can_[k] == can_grow   ? g_[k] < bottom_
                         : can_[k] == can_fall ? g_[k] > top_
                                               : false;
      if (rests) continue;
      copy(k, kept++);
    }
    resize(kept);
    choose();
  }
  // Brings f up to date, with one read of every row that moved since the last time, and makes all
  // variables active. Returns how many rows were read.
  Index wake(const Gram& kernel, Tick& tick) {
    const Vec beta = coefficients();
    const Vec change = beta - synced_;
    f_ += kernel.multiply(change, tick);
    synced_ = beta;
    activate_all();
    return (change.array() != 0).count();
  }

  // ---- Certificate ----

  // The loop condition of what works on it; only after wake().
  bool proceed(Run& run) {
    for (const Box& v : box_) a_[v.row] = 0;
    for (const Box& v : box_) a_[v.row] += v.c / problem_.space.unit(v.row);
    // the ends of the boxes, added up, may be the next number after those, where phi* is infinite
    for (const Box& v : box_) a_[v.row] = problem_.feasible(v.row, a_[v.row]);
    Solution s = solution("");
    const auto estimate = [&] { return problem_.estimate(s, s, run); };
    const auto certify = [&] {
      const Certificate c = problem_.certify(s, s, run);
      refuted_ = !run.within_tolerance(c);
      f_ = s.f;
      b_ = s.b;
      activate_all();
      return c;
    };
    return run.proceed(estimate, certify, 0);
  }
  // Did a point seem optimal that is not, by exact kernel values?
  bool refuted() const { return refuted_; }
  Solution solution(const char* solver) const { return {{f_, Vec(), b_}, {a_}, solver}; }

 private:
  void activate_all() {
    const Index count = static_cast<Index>(box_.size());
    resize(count);
    for (Index k = 0; k < count; ++k) {
      const Box& v = box_[k];
      id_[k] = k;
      row_[k] = v.row;
      can_[k] = freedom(v);
      g_[k] = v.at - f_[v.row];
      diagonal_[k] = problem_.x().squared_norm(v.row);
    }
    choose();
  }
  void choose() {
    const auto known = [&](Index k) { return g_[k]; };
    if (problem_.free_intercept) {
      choose_pair(known);
    } else {
      choose_single(known);
    }
  }
  Vec coefficients() const {
    Vec beta = problem_.zero();
    for (const Box& v : box_) beta[v.row] += v.c;
    return beta;
  }

  const KernelProblem& problem_;
  std::vector<Box> box_;
  double b_;
  Vec a_, f_, synced_;
  bool refuted_ = false;
};

}  // namespace dualmargin::kernel
