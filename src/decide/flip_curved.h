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
// Both rise with D and Lambda; vignettes/proofs.Rmd derives them. t = 0 for the squared loss.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/slack.h"
#include "decide/flip_tilted.h"

namespace dualmargin::decide {

struct Missed {
  double direct = HUGE_VAL, step = HUGE_VAL;
};

inline Missed missed_by_step(double g, double reach, double d, double lambda, bool squared) {
  if (!(lambda < 0.99 && d * reach < 50)) return {};
  const double t = squared ? 0.0 : d * reach, curved = region::missed_by_step(t);
  const double shrink = std::sqrt(1 - lambda), grown = std::exp(t / 2);
  const double after =
      grown * (g / shrink + d * (curved * std::sqrt(1 + lambda) + lambda / shrink));
  return {region::by_curvature((g + d) / (1 - lambda), reach, squared) * rounding::raised_exp,
          region::by_curvature(after, reach, squared, grown / shrink) * rounding::raised_exp};
}

template <class Fit, class Frame>
class CurvedFlips final : public FlipBound {
 public:
  // frame: in the metric of H^{-1}
  CurvedFlips(const Fit& fit, const RowChanges& changes, Frame frame, Tick& tick)
      : frame_(std::move(frame)), pull_(changes.pull / fit.W()), slack_(changes.wobble / fit.W()) {
    const auto& e = fit.ellipsoid;
    const bool squared = fit.problem.phi.curving() == Curving::constant;
    const auto missed = [&](double d, double lambda) {
      return missed_by_step(e.nu, e.reach, d, lambda, squared);
    };
    std::vector<double> length, leverage;
    for (Index j = 0; j < fit.n(); ++j) {
      const double norm = frame_.lengths()[j];
      length.push_back((std::abs(pull_[j]) + slack_[j]) * norm);
      leverage.push_back(changes.bend[j] / fit.W() * norm * norm * rounding::raised_factor);
      alone_.push_back(missed(length.back(), leverage.back()));
    }
    const RowVec steep =
        RowVec::of(fit.n(), [&](Index j) { return std::abs(pull_[j]) + slack_[j]; });
    const std::vector<double> sizes = spread_sums(length, frame_.spectrum(steep, tick));
    const std::vector<double> levers = largest_sums(leverage);
    Missed most{0, 0};
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      const Missed found = missed(sizes[k], levers[k]);
      most = {std::max(most.direct, found.direct), std::max(most.step, found.step)};
      together_.push_back(most);
    }
    none_ = missed(0, 0);
  }

  Moves of(Index i, double side, Tick& tick) const override {
    const SeenRow seen = frame_.seen(i, tick);
    const double norm = seen.norm;
    std::vector<double> towards = along(seen, pull_, side);
    Moves moves;
    moves.none = product(norm, none_.direct);
    moves.each.resize(alone_.size());
    for (std::size_t k = 0; k < alone_.size(); ++k) {
      const auto j = static_cast<Index>(k);
      towards[k] += norm * frame_.lengths()[j] * slack_[j];
      const double step = towards[k] + product(norm, alone_[k].step);
      const double move = std::min(product(norm, alone_[k].direct), step);
      moves.each[k] = move + rounding::slack_exp * std::abs(move);
    }
    LargestSums of_along(std::move(towards));
    Index k = 0;
    moves.next_set = [=]() mutable {
      const double step = of_along.next() + product(norm, together_[k].step);
      return std::min(product(norm, together_[k++].direct), step) * rounding::raised_exp;
    };
    return moves;
  }

 private:
  // Nothing is known of 0 times an infinite bound.
  static double product(double x, double bound) {
    return std::isfinite(bound) ? x * bound : HUGE_VAL;
  }

  const Frame frame_;
  const RowVec pull_, slack_;
  std::vector<Missed> alone_, together_;
  Missed none_;
};

// Whatever bounds there are; the frames: around a centre, and in the metric of H^{-1}.
template <class Centre, class Curvature, class Fit, class Asked>
std::vector<std::unique_ptr<FlipBound>> flip_bounds_in(const Fit& fit, const RowChanges& changes,
                                                       const Asked& asked, Tick& tick) {
  std::vector<std::unique_ptr<FlipBound>> bounds;
  if (!fit.problem.free()) {
    bounds.push_back(
        std::make_unique<BallFlips<Fit, Centre>>(fit, changes, Centre(fit, {}, asked, tick), tick));
  } else {
    const region::TiltMass mass =
        region::tilt_mass(fit.problem, fit.pair, [](Index) { return true; });
    if (mass.usable()) {
      bounds.push_back(std::make_unique<TiltedFlips<Fit, Centre>>(
          fit, changes, mass, Centre(fit, mass, asked, tick), tick));
    }
  }
  if (fit.ellipsoid.factor.usable()) {
    bounds.push_back(std::make_unique<CurvedFlips<Fit, Curvature>>(
        fit, changes, Curvature(fit, asked, tick), tick));
  }
  return bounds;
}

}  // namespace dualmargin::decide
