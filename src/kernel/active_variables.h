// The variables of boxes.h that are not at rest, and which of them a step starts from.
//
//   id     their numbers among all          row        the rows of the data they belong to
//   can    whether they may grow or fall    diagonal   K_kk
//   g      slope s_k - f of the objective, kept up to date
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "kernel/pair_step.h"

namespace dualmargin::kernel {

class ActiveVariables {
 public:
  // By how much the optimality conditions are violated at most. Free intercept: max g over those
  // that may grow, less min g over those that may fall. Otherwise the largest |g| of those that may
  // follow it.
  double violation() const { return violation_; }
  // Free intercept: the one with the largest slope among those that may grow. Otherwise the one
  // that promises most alone, g^2 / K_kk.
  Index first() const { return first_; }

 protected:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr char can_grow = 1, can_fall = 2;

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
  void copy(Index from, Index to) {
    id_[to] = id_[from];
    row_[to] = row_[from];
    can_[to] = can_[from];
    g_[to] = g_[from];
    diagonal_[to] = diagonal_[from];
  }

  // slope(k) is g_k, perhaps brought up to date first.
  template <class Slope>
  void choose_pair(Slope slope) {
    double top = -infinity, bottom = infinity;
    first_ = -1;
    for (Index k = 0; k < active(); ++k) {
      const double g = slope(k);
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
  template <class Slope>
  void choose_single(Slope slope) {
    double best = 0, best_eta = 1, worst = 0;
    first_ = -1;
    for (Index k = 0; k < active(); ++k) {
      const double g = slope(k);
      if (!(can_[k] & (g > 0 ? can_grow : can_fall))) continue;
      worst = std::max(worst, std::abs(g));
      if (g * g * best_eta > best * diagonal_[k]) {
        best = g * g;
        best_eta = diagonal_[k];
        first_ = k;
      }
    }
    top_ = worst;
    bottom_ = -worst;
    violation_ = worst;
  }

  // promise(k, d, eta) says whether k can be had and sets what the gain d^2 / eta is made of.
  template <class Promise>
  Index most_promising(Promise promise) const {
    double best = 0, best_eta = 1, d = 0, eta = 0;
    Index j = first_;
    for (Index k = 0; k < active(); ++k) {
      if (!promise(k, d, eta)) continue;
      eta = std::max(eta, least_eta);
      if (d * d * best_eta <= best * eta) continue;
      best = d * d;
      best_eta = eta;
      j = k;
    }
    return j;
  }

  std::vector<Index> id_, row_;
  std::vector<char> can_;
  std::vector<double> g_, diagonal_;
  Index first_ = -1;
  double top_ = 0, bottom_ = 0, violation_ = 0;
};

}  // namespace dualmargin::kernel
