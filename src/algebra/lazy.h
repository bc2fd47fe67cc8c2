// Steps that a sparse method owes to a coordinate. Between two rows that touch coordinate j nothing
// but a constant drift acts on it; k such steps at once have a closed form, so that a step costs
// the nonzeros of its row and not the dimension.
#pragma once

#include <algorithm>
#include <vector>

#include "base/numeric.h"

namespace dualmargin {

// x_k of the recursion x <- A x + B c, with c constant: x_k = A^k x + (A^{k-1} + ... + I) B c,
// digit by digit of k. The maps of 1, ..., base - 1 times base^l steps lie in a table for each l.
template <int States, int Inputs>
class AffinePowers {
 public:
  using State = Eigen::Matrix<double, States, 1, Eigen::DontAlign>;
  using Input = Eigen::Matrix<double, Inputs, 1, Eigen::DontAlign>;
  using Square = Eigen::Matrix<double, States, States, Eigen::DontAlign>;
  using Mix = Eigen::Matrix<double, States, Inputs, Eigen::DontAlign>;

  AffinePowers(const Square& A, const Mix& B) : maps_{{{A, B}}} {}

  State after(Index k, State x, const Input& c) {
    for (std::size_t l = 0; k > 0; ++l, k >>= digit) {
      if (k % base > 0) x = map(l, k % base)(x, c);
    }
    return x;
  }

  // The longest run of at most k steps after which `holds` is still true; it must hold for none
  // and, once lost, stay lost.
  template <class Holds>
  Index longest(Index k, State x, const Input& c, Holds holds) {
    std::size_t top = 0;
    while (Index(1) << top <= k && holds(doubled(top)(x, c))) ++top;
    Index sure = 0;
    for (std::size_t s = top; s-- > 0;) {
      const Index stride = Index(1) << s;
      if (sure + stride > k) continue;
      const State next = doubled(s)(x, c);
      if (!holds(next)) continue;
      x = next;
      sure += stride;
    }
    return sure;
  }

 private:
  struct Map {
    Square A;
    Mix B;
    State operator()(const State& x, const Input& c) const { return A * x + B * c; }
  };
  static constexpr Index digit = 7, base = 1 << digit;

  const Map& doubled(std::size_t s) { return map(s / digit, Index(1) << s % digit); }  // 2^s steps
  const Map& map(std::size_t l, Index times) {
    while (maps_.size() <= l) {
      const std::size_t last = maps_.size() - 1;
      const Map longest = map(last, base - 1);
      maps_.push_back({followed(longest, maps_[last].front())});
    }
    std::vector<Map>& table = maps_[l];
    while (static_cast<Index>(table.size()) < times) {
      table.push_back(followed(table.back(), table.front()));
    }
    return table[times - 1];
  }
  static Map followed(const Map& first, const Map& then) {
    return {Square(then.A * first.A), Mix(then.A * first.B + then.B)};
  }

  std::vector<std::vector<Map>> maps_;
};

// Runs of w <- prox_{step g}(w - step drift) = S(w - step drift, step l1) / (1 + step l2). While w
// keeps its sign the step is affine, with pull = drift + sign(w) l1; a sign changes at most twice.
class LazyProx {
 public:
  LazyProx(double step, double l1, double l2)
      : step_(step),
        l1_(l1),
        shrink_(1 / (1 + step * l2)),
        powers_(Scalar(shrink_), Scalar(-step * shrink_)) {}

  double one(double w, double drift) const {
    return shrink_ * soft_threshold(w - step_ * drift, step_ * l1_);
  }

  double many(Index k, double w, double drift) {
    stretches(k, w, drift, [&](Index, double, double next) { w = next; });
    return w;
  }

  // Splits k steps from w into stretches of one affine form: f(length, pull, w after it). A stretch
  // of length one may be a change of sign, where no pull is right and only the value after it is.
  template <class F>
  void stretches(Index k, double w, double drift, F f) {
    while (k > 0) {
      Index length = 1;
      double pull = 0, next = one(w, drift);
      bool rests = false;
      if (l1_ == 0) {
        length = k;
        pull = drift;
      } else if (w == 0) {
        rests = next == 0;  // for good
        if (rests) length = k;
      } else {
        pull = drift + std::copysign(l1_, w);
        // towards zero w may cross it; away from zero it never does
        length = pull * w <= 0 ? k : powers_.longest(k, Scalar(w), Scalar(pull), [&](Scalar v) {
          return v[0] * w > 0;
        });
        if (length == 0) length = 1;  // the crossing itself
      }
      if (length > 1 && !rests) next = powers_.after(length, Scalar(w), Scalar(pull))[0];
      f(length, pull, next);
      w = next;
      k -= length;
    }
  }

 private:
  using Scalar = AffinePowers<1, 1>::State;

  double step_, l1_, shrink_;
  AffinePowers<1, 1> powers_;
};

}  // namespace dualmargin
