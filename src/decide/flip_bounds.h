// Bounds on how far the score of a row x to predict moves towards the other class when rows of the
// fit change, as Delta_j = (omega'_j a'_j - omega_j a_j) x_j: of each row alone, and of any k rows
// together. s: the sign of the score; kappa = mu W stays. Rows are columns' or functions:
// flip_columns.h, flip_functions.h.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "base/slack.h"
#include "decide/flip_sums.h"
#include "region/pair.h"

namespace dualmargin::decide {

// What happens to each row: y, omega, those after; mass: omega' a' - omega a of the dual variables,
// pull: the same of the slopes, wobble: its rounding; bend: |omega' - omega| phi''; excess: what all
// new terms add to the sum of those of the gap.
struct RowChanges {
  RowVec y, omega, mass, pull, wobble, bend;
  double excess = 0;
};

// turned: the weights that rows have with the other label, or nothing where they leave.
template <class AnyProblem>
RowChanges row_changes(const AnyProblem& problem, const region::RowTerms& pair, const Vec& turned);

// Of one row to predict: what no change moves it by, each row alone, and any k rows, which is asked
// for k = 1, 2, ... in turn.
struct Moves {
  double none = HUGE_VAL;
  std::vector<double> each;
  std::function<double()> next_set;
};

class FlipBound {
 public:
  virtual ~FlipBound() = default;
  virtual Moves of(Index i, double side, Tick& tick) const = 0;
};

// A row to predict among those of the fit: its length from above, and its products with them, which
// are off by `noise` at most.
struct SeenRow {
  double norm;
  RowVec inner, noise;
};

// A Frame says where rows are seen from and in which metric:
//
//   lengths           of the rows of the fit, from above
//   seen(i, tick)     of a row to predict
//   spectrum(s)       the largest singular value of all s_j x_j, from above

RowVec roots(const RowVec& squares);

// How far the changes of rows by such masses go along a row to predict, towards the other class.
std::vector<double> along(const SeenRow& seen, const RowVec& mass, double side);

// No or a penalised intercept: the ball around w - (e + Delta)/(2 kappa) with squared radius
// F/kappa + |e + Delta|^2/(4 kappa^2), e = kappa w + U, moves a score towards the other class by at
// most (|x| |Delta| + s x'Delta)/(2 kappa) + |x| ((F/kappa)^(1/2) + |e|/kappa). Of several rows
// |Delta| is at most the sum of the largest |Delta_j|, and sigma k^(1/2).
template <class Fit, class Frame>
class BallFlips final : public FlipBound {
 public:
  BallFlips(const Fit& fit, const RowChanges& changes, Frame frame, Tick& tick)
      : fit_(fit), changes_(changes), frame_(std::move(frame)) {
    const auto r = residual_of(fit, tick);
    const double kappa = fit.kappa(), n = static_cast<double>(fit.n());
    const double F = (fit.W() * fit.pair.mean_excess + changes.excess) * (1 + rounding::of(n));
    own_ = (std::sqrt(F / kappa) + (std::sqrt(r.square) + r.rounding) / kappa) * rounding::raised;
    for (Index j = 0; j < fit.n(); ++j) {
      length_.push_back(std::abs(changes.mass[j]) * frame_.lengths()[j]);
    }
    together_ = spread_sums(length_, frame_.spectrum(changes.mass, tick));
  }

  Moves of(Index i, double side, Tick& tick) const override {
    const SeenRow seen = frame_.seen(i, tick);
    const double norm = seen.norm, half = 0.5 / fit_.kappa();
    const std::vector<double> towards = along(seen, changes_.mass, side);
    Moves moves;
    moves.none = norm * own_;
    moves.each.resize(length_.size());
    for (std::size_t j = 0; j < length_.size(); ++j) {
      moves.each[j] = (norm * length_[j] + towards[j]) * half;
    }
    LargestSums of_each(moves.each), of_along(towards);
    for (double& move : moves.each) move += moves.none;
    Index k = 0;
    moves.next_set = [=, none = moves.none]() mutable {
      const double sum = of_each.next(), apart = of_along.next();
      const double length = together_[k++] * rounding::raised;
      return std::min(sum, (norm * length + apart) * half) + none;
    };
    return moves;
  }

 private:
  const Fit& fit_;
  const RowChanges& changes_;
  const Frame frame_;
  double own_;
  std::vector<double> length_, together_;
};

}  // namespace dualmargin::decide
