// How the slope of a loss bends: what is known of its interpolation between two scores.
#pragma once

#include <cmath>
#include <vector>

#include "loss/loss.h"

namespace dualmargin::decide {

// Kinds of slopes
//   logistic  |phi'''| <= phi''
//   straight  phi' is linear
//   pieces    phi' is 1/gamma-Lipschitz and linear between knots
//   other     a jump of phi', or nothing known
class SlopeShape {
 public:
  enum class Kind { logistic, straight, pieces, other };

  // Of a loss of labels -1 and 1, whose pieces are those in y z.
  template <class Loss>
  static SlopeShape of(const Loss& loss) {
    SlopeShape shape;
    shape.gamma_ = loss.gamma();
    if (Loss::curving == Curving::self_concordant) shape.kind_ = Kind::logistic;
    if (Loss::curving == Curving::constant) shape.kind_ = Kind::straight;
    if (shape.kind_ == Kind::other && loss.gamma() > 0) shape.take_pieces(loss, 0);
    return shape;
  }

  Kind kind() const { return kind_; }
  // Is its Hessian known along a whole chord, from the one in the middle?
  bool curved() const { return kind_ == Kind::logistic || kind_ == Kind::straight; }
  // Is bend() finite, for labels?
  bool bends() const { return kind_ != Kind::other; }

  // q with |phi' - its chord| <= th (1 - th) q between the scores z1 and z2 of a row, which are at
  // most dz apart and each off by at most `wander`:
  //   logistic    sup |phi'''| dz^2 / 2
  //   pieces      dz / gamma where a knot lies between
  double bend(double z1, double z2, double y, double dz, double wander) const;

  // sup |phi'''| of the logistic loss between two scores: p (1 - p) |1 - 2p| has its maximum
  // 1/(6 sqrt 3) at |z| = log(2 + sqrt 3) and falls to both sides of it.
  static double third_derivative(double z1, double z2, double wander);

 private:
  // phi'' |tanh(z/2)|, from above within `wander` of z: relative to phi'', which is tiny for rows
  // far on one side, since its logarithm moves no faster than z.
  static double third_at(double z, double wander);

  template <class Loss>
  auto take_pieces(const Loss& loss, int) -> decltype(loss.slope_pieces(), void()) {
    kind_ = Kind::pieces;
    for (const auto& piece : loss.slope_pieces()) {
      if (piece.until < HUGE_VAL) knots_.push_back(piece.until);
    }
  }
  template <class Loss>
  void take_pieces(const Loss&, long) {}

  Kind kind_ = Kind::other;
  double gamma_ = 0;
  std::vector<double> knots_;
};

}  // namespace dualmargin::decide
