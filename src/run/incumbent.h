// The best primal point and the best dual point seen so far. They need not come from the same
// iterate: any feasible pair bounds the optimum from both sides.
#pragma once

#include "run/certificate.h"

namespace dualmargin {

enum class Sense { minimum, maximum };

template <class Primal, class Dual>
class Incumbent {
 public:
  explicit Incumbent(Sense sense = Sense::minimum) : sign_(sense == Sense::minimum ? 1 : -1) {}

  // The first point is kept whatever it is worth, so that there is one to return. Of points whose
  // values differ by no more than `rounding` the last is kept. True: it is new.
  bool offer_primal(const Primal& point, double value, double rounding = 0) {
    const bool better = sign_ * value < sign_ * value_;
    if (!better && has_primal_ && !(sign_ * value < sign_ * value_ + rounding)) return false;
    has_primal_ = true;
    primal_ = point;
    if (better) value_ = value;
    return true;
  }
  bool offer_dual(const Dual& point, double bound) {
    const bool better = sign_ * bound > sign_ * bound_;
    if (!better && has_dual_) return false;
    has_dual_ = true;
    dual_ = point;
    if (better) bound_ = bound;
    return true;
  }

  const Primal& primal() const { return primal_; }
  const Dual& dual() const { return dual_; }
  double value() const { return value_; }
  double bound() const { return bound_; }
  // Of a minimum, as an estimate: rounding is counted where the pair is certified.
  Certificate certificate() const { return Certificate(value_, value_ - bound_); }
  double gap() const { return sign_ * (value_ - bound_); }

 private:
  double sign_, value_ = sign_ * HUGE_VAL, bound_ = -sign_ * HUGE_VAL;
  bool has_primal_ = false, has_dual_ = false;
  Primal primal_;
  Dual dual_;
};

}  // namespace dualmargin
