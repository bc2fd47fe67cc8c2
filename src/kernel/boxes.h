// The dual problem of the plain hinge with soft labels as a quadratic program with boxes. A row
// with the label y is p = (1 + y)/2 rows of the class +1 and q = (1 - y)/2 of the class -1, each
// with a variable of its own where its share is not zero; both see the row's kernel values.
//
//   max_c  sum_k s_k c_k - 1/2 beta' K beta,   beta_i = sum of the c_k of row i
//   0 <= s_k c_k <= omega_i / (W lambda) times the share,   s_k = +-1 the class
//
// and sum_k c_k = 0 where the intercept is free. It is the dual problem of kernel_problem.h divided
// by lambda. Variables at an end of their box that only want to go further out rest: nothing of
// theirs is brought up to date until all are woken.
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
    const Index n = problem.n();
    if (start.a.size() == n) a_ = start.a;
    problem.losses.balance(a_);
    for (Index i = 0; i < n; ++i) {
      const double rate = -problem.space.unit(i);
      const double p = 0.5 * (1 + problem.y[i]), q = 1 - p;
      if (!(rate > 0)) continue;
      // u - v = -a with u, v as large as can be: phi* adds both of them up
      const double t = std::clamp(-a_[i], -q, p), u = std::min(p, q + t);
      if (p > 0) box_.push_back({i, 1, 0, rate * p, rate * u});
      if (q > 0) box_.push_back({i, -1, -rate * q, 0, rate * (t - u)});
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
    for (const Box& v : box_) {
      // as soft.h has them: 1 - p may be the next number after q, where phi* is infinite
      const double p = 0.5 * (1 + problem_.y[v.row]), q = 0.5 * (1 - problem_.y[v.row]);
      a_[v.row] = std::clamp(a_[v.row], -p, q);
    }
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
      g_[k] = v.sign - f_[v.row];
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
