// How strong a penalty a descent method works with that is stuck with the one it was given.
#pragma once

#include <algorithm>
#include <cmath>

#include "loss/elastic_net.h"

namespace dualmargin::linear {

// The penalty is `factor` times the problem's. At factor 1 a method that is far from the optimum
// after `patience` steps is stuck: the factor rises until `few` steps are enough for its minimum,
// then falls by `ratio` from one minimum to the next, and by less where that was too much.
class Continuation {
 public:
  // After a step. there: at the minimum for the present factor; gap: the relative gap of the
  // problem itself. True where the factor has changed.
  bool change(bool there, double gap) {
    ++steps_;
    if (factor_ > 1 && there) {
      if (steps_ <= few / 2) ratio_ = std::min(2 * ratio_, 16.0);
      reached_ = true;
      return set(std::max(1.0, factor_ / ratio_));
    }
    const bool stuck = factor_ > 1 ? steps_ >= few : steps_ >= patience && gap > 1e-3;
    if (!stuck || factor_ >= strongest || ++rises_ > most_rises) return false;
    const double rise = reached_ ? std::sqrt(ratio_) : 64.0;
    if (reached_) ratio_ = std::max(1.2, rise);
    reached_ = false;
    return set(factor_ * rise);
  }
  ElasticNet strengthened(const ElasticNet& g) const {
    return {factor_ * g.l1, factor_ * g.l2, g.columns};
  }

 private:
  static constexpr int patience = 16, few = 10, most_rises = 12;
  static constexpr double strongest = 1e15;

  bool set(double factor) {
    factor_ = factor;
    steps_ = 0;
    return true;
  }

  double factor_ = 1, ratio_ = 4;
  int steps_ = 0, rises_ = 0;
  bool reached_ = false;
};

}  // namespace dualmargin::linear
