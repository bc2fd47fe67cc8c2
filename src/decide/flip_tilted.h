// Bounds on flips with a free intercept, by tilting the changed problem towards the score of a row to
// predict.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "base/slack.h"
#include "base/square.h"
#include "decide/flip_bounds.h"
#include "decide/removal_tilt.h"

namespace dualmargin::decide {

// A free intercept. For any T > 0, S leaving: a + tau h off S with the sum -s T is a dual point of
// the changed problem tilted by the score of x, which so moves by at most
//   [sum omega FY(z, a + tau h) + |e + Delta - tau sum_S omega_j h_j x_j + s T x|^2/(2 kappa)]/T,
// everything around the mean c of the rows by omega h; |tau| <= (T + |sum_S mass|)/(K - K_S), and
// |Delta + s T x|^2 = |Delta|^2 + 2 T s x'Delta + T^2 |x|^2, of several rows with the sum of the
// positive s x'Delta_j.
template <class Fit, class Frame>
class TiltedFlips final : public FlipBound {
 public:
  // frame: around c; its lost() is what c times K is off by
  TiltedFlips(const Fit& fit, const RowChanges& changes, const region::TiltMass& mass, Frame frame,
              Tick& tick)
      : fit_(fit),
        changes_(changes),
        K_(fit.W() * mass.mean),
        sums_(fit, mass.h, 24),
        frame_(std::move(frame)) {
    const auto r = residual_of(fit, tick);
    own_ = std::sqrt(r.square) + r.rounding;
    std::vector<double> length, up, down, gone_length;
    for (Index j = 0; j < fit.n(); ++j) {
      const double apart = frame_.lengths()[j];
      gone_.push_back(fit.problem.omega(j) * mass.h[j]);
      length.push_back(std::abs(changes.mass[j]) * apart);
      up.push_back(changes.mass[j]);
      down.push_back(-changes.mass[j]);
      gone_length.push_back(gone_.back() * apart);
    }
    length_ = spread_sums(length, frame_.spectrum(changes.mass, tick));
    out_ = largest_sums(up);
    const std::vector<double> other = largest_sums(down);
    for (std::size_t k = 0; k < out_.size(); ++k) out_[k] = std::max(out_[k], other[k]);
    all_gone_ = largest_sums(gone_);
    gone_length_ = largest_sums(gone_length);
  }

  Moves of(Index i, double side, Tick& tick) const override {
    const SeenRow seen = frame_.seen(i, tick);
    const double norm = std::max(seen.norm, 1e-300);
    const std::vector<double> towards = along(seen, changes_.mass, side);
    Moves moves;
    moves.none = move(0, 0, 0, 0, 0, norm);
    moves.each.resize(towards.size());
    for (std::size_t k = 0; k < towards.size(); ++k) {
      const auto j = static_cast<Index>(k);
      const double mass = std::abs(changes_.mass[j]), apart = frame_.lengths()[j];
      moves.each[k] = move(mass * apart, mass, gone_[k], gone_[k] * apart, towards[k], norm);
    }
    LargestSums of_along(towards);
    Index k = 0;
    double before = 0;
    moves.next_set = [=]() mutable {
      const double apart = of_along.next();
      const double found = move(length_[k], out_[k], all_gone_[k], gone_length_[k], apart, norm);
      ++k;
      before = std::max(before, found);
      return before;
    };
    return moves;
  }

 private:
  // sum omega FY(z, a + tau h), of both signs the larger, and what changes add; it rises with tau.
  double excess(double tau) const {
    const double lost = 1 + rounding::of(static_cast<double>(fit_.n()));
    return std::max(sums_.above(tau), sums_.above(-tau)) * lost + changes_.excess;
  }
  // The bound for the best of a few T, where one of them is possible.
  double move(double length, double out, double gone, double gone_length, double along,
              double x) const {
    double best = HUGE_VAL;
    const double rest = K_ - gone, kappa = fit_.kappa();
    const double reach = std::min(fit_.problem.phi.reach(), 1.0);
    if (!(rest > rounding::slack * K_ && out < reach * rest)) return best;
    const double limit = reach * rest - out, near = (own_ + length) / x;
    const double wide = std::sqrt(2 * kappa * excess((out + std::min(near, limit)) / rest)) / x;
    for (double T : {near, near + wide, 0.5 * near, 2 * near, limit / 4, limit / 16}) {
      if (!(std::isfinite(T) && T > 0 && T <= limit)) T = limit;
      const double tau = std::min(1.0, (T + out) / rest * rounding::raised);
      const double terms = length * length + T * T * x * x;
      const double size = std::sqrt(square_above(terms + 2 * T * along, rounding::of(8) * terms)) +
                          own_ + tau * gone_length + tau * frame_.lost();
      const double bound = (excess(tau) + size * size / (2 * kappa)) / T;
      if (bound < best) best = bound;
    }
    return best * rounding::raised_exp;
  }

  const Fit& fit_;
  const RowChanges& changes_;
  const double K_;
  const TiltedSums sums_;
  const Frame frame_;
  double own_ = 0;
  std::vector<double> gone_, length_, out_, all_gone_, gone_length_;
};

}  // namespace dualmargin::decide
