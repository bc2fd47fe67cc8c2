// The logistic and the squared loss, any intercept: the Newton step of each row that changes, and
// what it misses. With D >= |Delta|_{H^-1}, Delta of the means of losses, and Lambda the change of H
// in units of itself, g = |G|_{H^-1}, R = max_i |x_i|_{H^-1} and t = R D, the score of x moves in
// units of |x|_{H^-1} by at most
//
//   nu psi(nu R),                    nu = (g + D)/(1 - Lambda),
//
// and from the value after the step, sum_S -x'H^{-1}Delta_j, by h nu psi(nu R h), h = (e^t/(1 -
// Lambda))^{1/2},
//
//   nu = e^{t/2} ((g + Lambda D)/(1 - Lambda)^{1/2} + (1 + Lambda)^{1/2} D (e^t - 1 - t)/t).
//
// Both rise with D and Lambda; the help of margin_flips() derives them. t = 0 for the squared loss.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "decide/flip_bounds.h"

namespace dualmargin::decide {

struct Missed {
  double direct = HUGE_VAL, step = HUGE_VAL;
};

inline Missed missed_by_step(double g, double reach, double d, double lambda, bool squared) {
  if (!(lambda < 0.99 && d * reach < 50)) return {};
  const auto psi = [&](double s) { return squared ? 1.0 : region::step_factor(s); };
  const double nu = (g + d) / (1 - lambda), t = squared ? 0.0 : d * reach;
  const double curved = t < 1e-5 ? t / 2 + t * t / 6 * (1 + t) : (std::expm1(t) - t) / t;
  const double shrink = std::sqrt(1 - lambda), grown = std::exp(t / 2);
  const double after =
      grown * (g / shrink + d * (curved * std::sqrt(1 + lambda) + lambda / shrink));
  return {nu * psi(nu * reach) * (1 + 1e-10),
          grown / shrink * after * psi(after * reach * grown / shrink) * (1 + 1e-10)};
}

template <class Data>
class CurvedFlips final : public FlipBound {
 public:
  static std::unique_ptr<FlipBound> of(const Fitted<Data>& fit, const RowChanges& changes,
                                       Tick& tick) {
    if (!fit.ellipsoid.factor.usable()) return nullptr;
    return std::unique_ptr<FlipBound>(new CurvedFlips(fit, changes, tick));
  }

  Moves of(const Vec& x, double side, Tick& tick) const override {
    const region::Ellipsoid& e = fit_.ellipsoid;
    const auto& rows = fit_.problem.rows;
    const Index d = x.size();
    Vec at(d + e.free);
    at.head(d) = x;
    if (e.free) at[d] = 1;
    const double far = e.factor.norm(at), error = 4 * (e.factor.inflation - 1);
    const Vec inverse = e.factor.solve(at);
    const RowVec inner(rows.times(inverse.head(d), tick) + (e.free ? inverse[d] : 0.0));
    Moves moves;
    moves.none = times(far, none_.direct);
    std::vector<double> along(alone_.size());
    moves.each.resize(alone_.size());
    for (std::size_t j = 0; j < alone_.size(); ++j) {
      const auto i = static_cast<Index>(j);
      const double pull = changes_.pull[i] / fit_.W(), slack = changes_.wobble[i] / fit_.W();
      along[j] = side * pull * inner[i] + far * e.norms[i] * (error * std::abs(pull) + slack);
      const double step = along[j] + times(far, alone_[j].step);
      const double move = std::min(times(far, alone_[j].direct), step);
      moves.each[j] = move + 1e-10 * std::abs(move);
    }
    LargestSums of_along(along);
    Index k = 0;
    moves.next_set = [=]() mutable {
      const double step = of_along.next() + times(far, together_[k].step);
      return std::min(times(far, together_[k++].direct), step) * (1 + 1e-10);
    };
    return moves;
  }

 private:
  CurvedFlips(const Fitted<Data>& fit, const RowChanges& changes, Tick& tick)
      : fit_(fit), changes_(changes) {
    const region::Ellipsoid& e = fit.ellipsoid;
    const bool squared = fit.problem.phi.curving() == region::Curving::constant;
    const auto missed = [&](double d, double lambda) {
      return missed_by_step(e.nu, e.reach, d, lambda, squared);
    };
    std::vector<double> length, leverage;
    for (Index j = 0; j < fit.n(); ++j) {
      const double norm = e.norms[j];
      length.push_back((std::abs(changes.pull[j]) + changes.wobble[j]) / fit.W() * norm);
      leverage.push_back(changes.bend[j] / fit.W() * norm * norm * (1 + 1e-8));
      alone_.push_back(missed(length.back(), leverage.back()));
    }
    const std::vector<double> sizes = spread_sums(length, spectrum(tick));
    const std::vector<double> levers = largest_sums(leverage);
    Missed most{0, 0};
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      const Missed found = missed(sizes[k], levers[k]);
      most = {std::max(most.direct, found.direct), std::max(most.step, found.step)};
      together_.push_back(most);
    }
    none_ = missed(0, 0);
  }
  // The largest singular value of all changes in the metric of H^{-1}.
  double spectrum(Tick& tick) const {
    const region::Factor& factor = fit_.ellipsoid.factor;
    if (factor.size.size() > largest_spectrum) return HUGE_VAL;
    const RowVec h = RowVec::of(fit_.n(), [&](Index i) {
      const double steep = (std::abs(changes_.pull[i]) + changes_.wobble[i]) / fit_.W();
      return steep * steep;
    });
    const Mat half = factor.whitened(fit_.problem.rows.gram(h, fit_.ellipsoid.free, tick));
    const Mat white = factor.whitened(half.transpose());
    return spectral_size(0.5 * (white + white.transpose()), 0) * (1 + 4 * (factor.inflation - 1));
  }
  // Nothing is known of 0 times an infinite bound.
  static double times(double x, double bound) {
    return std::isfinite(bound) ? x * bound : HUGE_VAL;
  }

  const Fitted<Data>& fit_;
  const RowChanges& changes_;
  std::vector<Missed> alone_, together_;
  Missed none_;
};

}  // namespace dualmargin::decide
