// The dual problem of the plain hinge with soft labels as a quadratic program with boxes. A row
// with the label y is p = (1 + y)/2 rows of the class +1 and q = (1 - y)/2 of the class -1, each
// with a variable of its own where its share is not zero; both see the row's kernel values.
//
//   max_c  sum_k s_k c_k - 1/2 beta' K beta,   beta_i = sum of the c_k of row i
//   0 <= s_k c_k <= omega_i / (W lambda) times the share,   s_k = +-1 the class
//
// and sum_k c_k = 0 where the intercept is free. It is the dual problem of kernel_erm.h divided by
// lambda. Variables at an end of their box that only want to go further out rest: nothing of theirs
// is brought up to date until all are woken.
//
//   c    all variables                    f   scores of all rows, as of the last wake()
//   g    of the active ones: slope s_k - f of the objective, kept up to date
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "kernel/kernel_erm.h"

namespace dualmargin {

class Boxes {
 public:
  Boxes(const KernelErm& problem, const Solution& start, Monitor& monitor)
      : problem_(problem), b_(start.b), a_(Vec::Zero(problem.n())) {
    const Index n = problem.n();
    if (start.a.size() == n) a_ = start.a;
    if (problem.free_intercept) balance(problem.row_loss, problem.weights, a_);
    for (Index i = 0; i < n; ++i) {
      const double rate = -problem.beta_of(i);
      const double p = 0.5 * (1 + problem.y[i]), q = 1 - p;
      if (!(rate > 0)) continue;
      // u - v = -a with u, v as large as can be: phi* adds both of them up
      const double t = std::clamp(-a_[i], -q, p), u = std::min(p, q + t);
      if (p > 0) box_.push_back({i, 1, 0, rate * p, rate * u});
      if (q > 0) box_.push_back({i, -1, -rate * q, 0, rate * (t - u)});
    }
    synced_ = coefficients();
    f_ = synced_.isZero(0) ? Vec::Zero(n) : problem.scores(synced_, problem.x.kernel(), monitor);
    activate_all();
  }

  // ---- Choice of variables ----

  // By how much the optimality conditions are violated at most among the active ones:
  // max g over those that may grow, less min g over those that may fall.
  double violation() const { return violation_; }
  Index first() const { return first_; }
  Index row(Index k) const { return row_[k]; }

  // WSS 2 of Fan, Chen, Lin: with first() as i, the j that promises most of a step along
  // e_i - e_j, (g_i - g_j)^2 / (K_ii + K_jj - 2 K_ij).
  template <class Scalar>
  Index second(const Scalar* row_i) const {
    const double top = g_[first_], own = diagonal_[first_];
    double best = 0, best_eta = 1;
    Index j = -1;
    for (Index k = 0; k < active(); ++k) {
      const double d = top - g_[k];
      if (!(can_[k] & can_fall) || !(d > 0)) continue;
      const double eta = std::max(own + diagonal_[k] - 2.0 * row_i[row_[k]], least_eta);
      if (d * d * best_eta > best * eta) {
        best = d * d;
        best_eta = eta;
        j = k;
      }
    }
    return j;
  }

  // ---- Steps ----

  // The exact step along e_i - e_j, as far as both boxes go, with the next choice of first().
  template <class Scalar>
  void step(Index i, Index j, const Scalar* row_i, const Scalar* row_j) {
    Box &up = box_[id_[i]], &down = box_[id_[j]];
    const double eta = std::max(diagonal_[i] + diagonal_[j] - 2.0 * row_i[row_[j]], least_eta);
    const double free = (g_[i] - g_[j]) / eta, room_up = up.high - up.c, room_down = down.c - down.low;
    const double t = std::min({free, room_up, room_down});
    up.c = t == room_up ? up.high : up.c + t;
    down.c = t == room_down ? down.low : down.c - t;
    can_[i] = freedom(up);
    can_[j] = freedom(down);
    double top = -infinity, bottom = infinity;
    for (Index k = 0; k < active(); ++k) {
      const double g = g_[k] - t * (static_cast<double>(row_i[row_[k]]) - row_j[row_[k]]);
      g_[k] = g;
      if ((can_[k] & can_grow) && g > top) {
        top = g;
        first_ = k;
      }
      if ((can_[k] & can_fall) && g < bottom) bottom = g;
    }
    top_ = top;
    bottom_ = bottom;
    violation_ = top - bottom;
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
      id_[kept] = id_[k];
      row_[kept] = row_[k];
      can_[kept] = can_[k];
      g_[kept] = g_[k];
      diagonal_[kept] = diagonal_[k];
      ++kept;
    }
    resize(kept);
    choose();
  }
  // Brings f up to date, with one read of every row that moved since the last time, and makes all
  // variables active. Returns how many rows were read.
  Index wake(Monitor& monitor) {
    const Vec beta = coefficients();
    const Vec change = beta - synced_;
    f_ += problem_.scores(change, problem_.x.kernel(), monitor);
    synced_ = beta;
    activate_all();
    return (change.array() != 0).count();
  }

  // ---- Certificate ----

  // See KernelErm::certify_carried(); only after wake().
  Certificate certify(Monitor& monitor) {
    for (const Box& v : box_) a_[v.row] = 0;
    for (const Box& v : box_) a_[v.row] += v.c / problem_.beta_of(v.row);
    for (const Box& v : box_) {
      const double p = 0.5 * (1 + problem_.y[v.row]);
      a_[v.row] = std::clamp(a_[v.row], -p, 1 - p);
    }
    Vec a = a_, f = f_;
    const Certificate c = problem_.certify_carried(a, f, b_, monitor);
    if (!monitor.within_tolerance(c)) return c;
    f_ = f;
    activate_all();
    return c;
  }
  Solution solution(const char* solver) const {
    Solution s;
    s.w = f_;
    s.b = b_;
    s.a = a_;
    s.solver = solver;
    return s;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity(), least_eta = 1e-12;
  static constexpr char can_grow = 1, can_fall = 2;

  struct Box {
    Index row;
    double sign, low, high, c;
  };

  static char freedom(const Box& v) {
    return static_cast<char>((v.c < v.high ? can_grow : 0) | (v.c > v.low ? can_fall : 0));
  }
  Index active() const { return static_cast<Index>(id_.size()); }
  void resize(Index count) {
    id_.resize(count);
    row_.resize(count);
    can_.resize(count);
    g_.resize(count);
    diagonal_.resize(count);
  }
  void activate_all() {
    const Index count = static_cast<Index>(box_.size());
    resize(count);
    for (Index k = 0; k < count; ++k) {
      const Box& v = box_[k];
      id_[k] = k;
      row_[k] = v.row;
      can_[k] = freedom(v);
      g_[k] = v.sign - f_[v.row];
      diagonal_[k] = problem_.x.kernel().diagonal(v.row);
    }
    choose();
  }
  void choose() {
    top_ = -infinity;
    bottom_ = infinity;
    first_ = -1;
    for (Index k = 0; k < active(); ++k) {
      if ((can_[k] & can_grow) && g_[k] > top_) {
        top_ = g_[k];
        first_ = k;
      }
      if (can_[k] & can_fall) bottom_ = std::min(bottom_, g_[k]);
    }
    violation_ = top_ - bottom_;
  }
  Vec coefficients() const {
    Vec beta = Vec::Zero(problem_.n());
    for (const Box& v : box_) beta[v.row] += v.c;
    return beta;
  }

  const KernelErm& problem_;
  std::vector<Box> box_;
  double b_;
  Vec a_, f_, synced_;
  std::vector<Index> id_, row_;
  std::vector<char> can_;
  std::vector<double> g_, diagonal_;
  Index first_ = -1;
  double top_ = 0, bottom_ = 0, violation_ = 0;
};

}  // namespace dualmargin
