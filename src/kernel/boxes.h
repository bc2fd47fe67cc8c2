// A quadratic program over boxes with a kernel matrix,
//
//   max_c  sum_k s_k c_k - 1/2 beta' K beta,   beta_i = sum of the c_k of row i
//
// and, where `balanced`, sum_k c_k = what it is at the beginning. A row may have several variables,
// all of which see its kernel values: loss_boxes.h, one_class.h.
//
// Variables at an end of their box that only want to go further out rest: nothing of theirs is
// brought up to date until all are woken.
//
//   c    all variables                    f   scores of all rows, as of the last wake()
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "kernel/box_step.h"
#include "rows/gram.h"

namespace dualmargin::kernel {

class Boxes {
 public:
  // By how much the optimality conditions are violated at most. Balanced: max g over those
  // that may grow, less min g over those that may fall. Otherwise twice the largest |g| of those
  // that may follow it.
  double violation() const { return top_ - bottom_; }
  // Balanced: the one with the largest slope among those that may grow. Otherwise the one
  // that promises most alone, g^2 / K_kk; where no square is above 0, although slopes are, the one
  // with the largest slope. -1 where none may follow its slope.
  Index first() const { return first_; }
  Index row(Index k) const { return active_[k].row; }

  // With first() as i, the j that promises most; i itself where none promises anything.
  //   balanced        WSS 2 of Fan, Chen, Lin: (g_i - g_j)^2 / (K_ii + K_jj - 2 K_ij)
  //   otherwise       what a step in j adds to that in i, of length t: (g_j - K_ij t)^2 / e, where
  //                   e = K_jj - K_ij^2 / K_ii as long as the step in i stays inside its box
  template <class Scalar>
  Index second(const Scalar* row_i) const {
    const Active& i = active_[first_];
    if (balanced_) {
      return most_promising([&](const Active& j, double& d, double& eta) {
        d = i.g - j.g;
        eta = i.diagonal + j.diagonal - 2.0 * row_i[j.row];
        return (j.can & fall) && d > 0;
      });
    }
    const double constant = kernel_.constant(), own = std::max(i.diagonal, least_eta);
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
    const double constant = kernel_.constant();
    Active &one = active_[i], &other = active_[j];
    Box &u = box_[one.id], &v = box_[other.id];
    const BoxModel model{one.g, other.g, one.diagonal, other.diagonal, row_i[other.row] + constant};
    const BoxStep t = balanced_ ? along_difference(model, u, v)
                      : i == j  ? in_one(model, u)
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

 protected:
  // balanced: steps leave the sum of all variables as it is.
  Boxes(const Gram& kernel, bool balanced) : kernel_(kernel), balanced_(balanced) {}

  const std::vector<Box>& boxes() const { return box_; }
  void add_box(const Box& box) { box_.push_back(box); }
  // After the last box.
  void begin(Tick& tick) {
    synced_ = coefficients();
    renew(kernel_.multiply(synced_, tick));
  }
  const Vec& scores() const { return f_; }
  // Scores that are better than those carried along; all variables are woken.
  void renew(const Vec& f) {
    f_ = f;
    activate_all();
  }
  Vec coefficients() const {
    Vec beta = Vec::Zero(kernel_.n());
    for (const Box& v : box_) beta[v.row] += v.c;
    return beta;
  }

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
      active_[k] = {Index(k), v.row, v.at - f_[v.row], kernel_.squared_norm(v.row), 0};
      active_[k].look(v);
    }
    choose([](const Active& v) { return v.g; });
  }

  // first() and the violation. slope(v) is g of v, perhaps brought up to date first.
  template <class Slope>
  void choose(Slope slope) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Index count = static_cast<Index>(active_.size());
    double top = balanced_ ? -infinity : 0, bottom = infinity, best = 0, best_eta = 1;
    first_ = -1;
    for (Index k = 0; k < count; ++k) {
      Active& v = active_[k];
      const double g = slope(v);
      if (balanced_) {
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
    bottom_ = balanced_ ? bottom : -top;
    if (first_ >= 0 || balanced_) return;
    for (Index k = 0; k < count && first_ < 0; ++k) {
      const Active& v = active_[k];
      if (v.g != 0 && std::abs(v.g) == top && v.can_follow(v.g)) first_ = k;
    }
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
    if (best > 0) return j;
    double most = 0;  // of differences whose squares are 0
    for (std::size_t k = 0; k < active_.size(); ++k) {
      if (!promise(active_[k], d, eta) || !(std::abs(d) > most)) continue;
      most = std::abs(d);
      j = static_cast<Index>(k);
    }
    return j;
  }

  Gram kernel_;
  bool balanced_;
  std::vector<Box> box_;
  std::vector<Active> active_;
  Index first_ = -1;
  double top_ = 0, bottom_ = 0;
  Vec f_, synced_;
};

}  // namespace dualmargin::kernel
