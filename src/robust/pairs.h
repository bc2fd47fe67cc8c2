// Slacks and their multipliers, all positive, whose products an interior point method drives to
// one common value mu. A step solves
//
//   multiplier d slack + slack d multiplier = aim,
//   d slack = (what the variables do to it) + missing,
//
// where `missing` is what the slack falls short of its definition: slacks are variables of their
// own, since a small one computed as a difference would have lost its digits.
#pragma once

#include "algebra/mehrotra.h"

namespace dualmargin::robust {

struct Pairs {
  Vec slack, multiplier;

  struct Step {
    Vec slack, multiplier;
  };

  Index size() const { return slack.size(); }
  Vec ratio() const { return multiplier.cwiseQuotient(slack); }

  Vec predictor() const { return -slack.cwiseProduct(multiplier); }
  // Centred, and the second-order terms of the predictor's step taken into account.
  Vec corrector(double mu, const Step& affine) const {
    return (mu - slack.array() * multiplier.array() -
            affine.slack.array() * affine.multiplier.array())
        .matrix();
  }
  // Products that would leave [mu / 10, 10 mu] after a longer step are sent back there.
  Vec recentred(const Vec& aim, const Step& step, const StepLengths& hope, double mu) const {
    Vec corrected = aim;
    const double low = 0.1 * mu, high = 10 * mu;
    for (Index k = 0; k < size(); ++k) {
      const double product = (slack[k] + hope.primal * step.slack[k]) *
                             (multiplier[k] + hope.dual * step.multiplier[k]);
      corrected[k] += std::max(std::clamp(product, low, high) - product, -high);
    }
    return corrected;
  }

  // d multiplier = ratio (pull - what the variables do)
  Vec pull(const Vec& aim, const Vec& missing) const {
    return aim.cwiseQuotient(multiplier) - missing;
  }
  Step step(const Vec& aim, Vec d_multiplier) const {
    Vec d_slack = (aim - slack.cwiseProduct(d_multiplier)).cwiseQuotient(multiplier);
    return {std::move(d_slack), std::move(d_multiplier)};
  }

  // How far it is to the boundary, up to twice the step.
  StepLengths room(const Step& step) const {
    return {step_to_boundary(slack, step.slack, 2),
            step_to_boundary(multiplier, step.multiplier, 2)};
  }
  void move(const Step& step, const StepLengths& length) {
    slack += length.primal * step.slack;
    multiplier += length.dual * step.multiplier;
  }
};

}  // namespace dualmargin::robust
