// The best primal point, or that of the last iterate, and the best dual point seen so far. They need
// not come from the same iterate: any feasible pair bounds the optimum from both sides.
#pragma once

#include "run/certificate.h"

namespace dualmargin {

enum class Sense { minimum, maximum };

template <class Primal, class Dual>
class Incumbent {
 public:
  explicit Incumbent(Iterate kept = Iterate::best, Sense sense = Sense::minimum)
      : kept_(kept), sign_(sense == Sense::minimum ? 1 : -1) {}

  // The first point is kept whatever it is worth, so that there is one to return. Of points whose
  // values differ by no more than `rounding` the last is kept. True: it is the best.
  bool offer_primal(const Primal& point, double value, double rounding = 0) {
    const bool better = sign_ * value < sign_ * value_;
    const bool best = better || !has_primal_ || sign_ * value < sign_ * value_ + rounding;
    if (best || kept_ == Iterate::last) primal_ = point;
    has_primal_ = true;
    latest_ = value;
    if (better) value_ = value;
    return best;
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
  // Of the best points, whichever is kept.
  double value() const { return value_; }
  double bound() const { return bound_; }
  // Of the pair that is kept, of a minimum, as an estimate: rounding is counted where it is certified.
  Certificate certificate() const {
    const double value = kept_ == Iterate::last ? latest_ : value_;
    Certificate c(value, value - bound_);
    c.iterate = iterate();
    return c;
  }
  // See Certificate.
  double iterate() const {
    return std::isfinite(latest_) && latest_ != value_ ? latest_ : std::nan("");
  }
  double gap() const { return sign_ * (value_ - bound_); }

 private:
  Iterate kept_;
  double sign_, value_ = sign_ * HUGE_VAL, bound_ = -sign_ * HUGE_VAL;
  double latest_ = value_;  // of the last primal point that was offered
  bool has_primal_ = false, has_dual_ = false;
  Primal primal_{};
  Dual dual_;
};

}  // namespace dualmargin
