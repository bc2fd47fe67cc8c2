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
//   epsilon-insensitive loss            0 <= c <= r for s = y - epsilon,
//                                       -r <= c <= 0 for s = y + epsilon
//
// Variables at an end of their box that only want to go further out rest: nothing of theirs is
// brought up to date until all are woken.
//
//   c    all variables                    f   scores of all rows, as of the last wake()
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "kernel/kernel_problem.h"
#include "kernel/pair_step.h"

namespace dualmargin::kernel {

class Boxes {
 public:
  Boxes(const KernelProblem& problem, const Solution& start, Tick& tick)
      : problem_(problem),
        free_(problem.losses.free_intercept),
        b_(start.b),
        a_(problem.dual_or_rest(start.a)) {
    constexpr double far = 1e300;
    problem.losses.balance(a_);
    for (Index i = 0; i < problem.n(); ++i) {
      const double rate = -problem.space.unit(i),
                   p = -problem.losses.loss.slope(-far, problem.losses.y[i]);
      if (!(rate > 0)) continue;
      const auto [first, second] = problem.losses.loss.kinks(problem.losses.y[i]);
      // u - v = -a: the variable of the kink further right is as large as can be, for phi* is convex
      const double t = std::clamp(-a_[i], p - first.rise - second.rise, p);
      const double u =
          first.at > second.at ? std::min(p, second.rise + t) : std::max(p - first.rise, t);
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

  // By how much the optimality conditions are violated at most. Free intercept: max g over those
  // that may grow, less min g over those that may fall. Otherwise twice the largest |g| of those
  // that may follow it.
  double violation() const { return top_ - bottom_; }
  // Free intercept: the one with the largest slope among those that may grow. Otherwise the one
  // that promises most alone, g^2 / K_kk.
  Index first() const { return first_; }
  Index row(Index k) const { return active_[k].row; }

  // With first() as i, the j that promises most; i itself where none promises anything.
  //   free intercept  WSS 2 of Fan, Chen, Lin: (g_i - g_j)^2 / (K_ii + K_jj - 2 K_ij)
  //   otherwise       what a step in j adds to that in i, of length t: (g_j - K_ij t)^2 / e, where
  //                   e = K_jj - K_ij^2 / K_ii as long as the step in i stays inside its box
  template <class Scalar>
  Index second(const Scalar* row_i) const {
    const Active& i = active_[first_];
    if (free_) {
      return most_promising([&](const Active& j, double& d, double& eta) {
        d = i.g - j.g;
        eta = i.diagonal + j.diagonal - 2.0 * row_i[j.row];
        return (j.can & fall) && d > 0;
      });
    }
    const double constant = problem_.x().constant(), own = std::max(i.diagonal, least_eta);
    const Box& v = box_[i.id];
    const double t = std::clamp(i.g / own, v.low - v.c, v.high - v.c),
                 inside = t == i.g / own ? 1 / own : 0;
    return most_promising([&](const Active& j, double& d, double& eta) {
      const double entry = row_i[j.row] + constant;
      d = j.g - entry * t;
      eta = j.diagonal - entry * entry * inside;
      return j.can_follow(d) && &j != &i;
    });
  }

  // ---- Steps, each with the next choice of first() ----

  template <class Scalar>
  void step(Index i, Index j, const Scalar* row_i, const Scalar* row_j) {
    const double constant = problem_.x().constant();
    Active &one = active_[i], &other = active_[j];
    Box &u = box_[one.id], &v = box_[other.id];
    const PairModel model{one.g, other.g, one.diagonal, other.diagonal,
                          row_i[other.row] + constant};
    const PairStep t = free_    ? along_difference(model, u, v)
                       : i == j ? in_one(model, u)
                                : in_both(model, u, v);
    one.look(u);
    other.look(v);
    const double shift = constant * (t.i + t.j);
    choose([&](Active& k) { return k.g -= t.i * row_i[k.row] + t.j * row_j[k.row] + shift; });
  }

  // ---- Shrinking ----

  // Rests the variables at a bound which no pair that violates the conditions contains.
  void shrink() {
    const auto rests = [&](const Active& v) {
      return v.can == grow ? v.g < bottom_ : v.can == fall && v.g > top_;
    };
    active_.erase(std::remove_if(active_.begin(), active_.end(), rests), active_.end());
    choose([](const Active& v) { return v.g; });
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
    for (const Box& v : box_) a_[v.row] = feasible(problem_.losses, v.row, a_[v.row]);
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
  // A variable that is not at rest: its number among all, its row, the slope g = s_k - f of the
  // objective, kept up to date, K_kk, and whether it may grow or fall.
  static constexpr int grow = 1, fall = 2;
  struct Active {
    Index id, row;
    double g, diagonal;
    int can;  // bits, so that no branch hangs on a sign

    void look(const Box& v) { can = (v.c < v.high ? grow : 0) | (v.c > v.low ? fall : 0); }
    bool can_follow(double slope) const { return can & (slope > 0 ? grow : fall); }
  };

  void activate_all() {
    active_.resize(box_.size());
    for (std::size_t k = 0; k < box_.size(); ++k) {
      const Box& v = box_[k];
      active_[k] = {Index(k), v.row, v.at - f_[v.row], problem_.x().squared_norm(v.row), 0};
      active_[k].look(v);
    }
    choose([](const Active& v) { return v.g; });
  }
  Vec coefficients() const {
    Vec beta = Vec::Zero(problem_.n());
    for (const Box& v : box_) beta[v.row] += v.c;
    return beta;
  }

  // first() and the violation. slope(v) is g of v, perhaps brought up to date first.
  template <class Slope>
  void choose(Slope slope) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Index count = static_cast<Index>(active_.size());
    const bool pairs = free_;
    double top = pairs ? -infinity : 0, bottom = infinity, best = 0, best_eta = 1;
    first_ = -1;
    for (Index k = 0; k < count; ++k) {
      Active& v = active_[k];
      const double g = slope(v);
      if (pairs) {
        if ((v.can & grow) && g > top) {
          top = g;
          first_ = k;
        }
        if ((v.can & fall) && g < bottom) bottom = g;
      } else if (v.can_follow(g)) {
        top = std::max(top, std::abs(g));
        if (!(g * g * best_eta > best * v.diagonal)) continue;
        best = g * g;
        best_eta = v.diagonal;
        first_ = k;
      }
    }
    top_ = top;
    bottom_ = pairs ? bottom : -top;
  }

  // promise(v, d, eta) says whether v can be had and sets what the gain d^2 / eta is made of.
  template <class Promise>
  Index most_promising(Promise promise) const {
    double best = 0, best_eta = 1, d = 0, eta = 0;
    Index j = first_;
    for (std::size_t k = 0; k < active_.size(); ++k) {
      if (!promise(active_[k], d, eta)) continue;
      eta = std::max(eta, least_eta);
      if (d * d * best_eta <= best * eta) continue;
      best = d * d;
      best_eta = eta;
      j = static_cast<Index>(k);
    }
    return j;
  }

  const KernelProblem& problem_;
  bool free_;
  std::vector<Box> box_;
  std::vector<Active> active_;
  Index first_ = -1;
  double top_ = 0, bottom_ = 0, b_;
  Vec a_, f_, synced_;
  bool refuted_ = false;
};

}  // namespace dualmargin::kernel
