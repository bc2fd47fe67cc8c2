// Step lengths of the incremental methods, one for each epoch k = 1, 2, ...
// J. Li, C. Chen, A. M.-C. So (2020), arXiv:2010.12865, Theorem 4.3.
#pragma once

#include <cmath>

namespace dualmargin::robust {

struct StepSchedule {
  enum class Decay {
    geometric,    // alpha_0 rho^(k - 1), for sharp problems: q in {1, inf} and c = 0
    inverse,      // alpha_0 / k, where the optimum grows quadratically
    inverse_root  // alpha_0 / sqrt(k), for any convex problem
  };
  Decay decay = Decay::geometric;
  double first = 1, shrink = 0.9;

  double at(long k) const {
    const double epoch = static_cast<double>(k);
    switch (decay) {
      case Decay::geometric:
        return first * std::pow(shrink, epoch - 1);
      case Decay::inverse:
        return first / epoch;
      default:
        return first / std::sqrt(epoch);
    }
  }
};

}  // namespace dualmargin::robust
