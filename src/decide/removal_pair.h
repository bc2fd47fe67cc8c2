// What a point near the optimum without some rows says of their scores there: by the pair that it
// makes with its own slopes, for a smooth loss with a ridge. Points need not be near for it to
// hold.
#pragma once

#include "decide/fitted.h"
#include "decide/leaving.h"

namespace dualmargin::decide {

struct RemovalPoint {
  Vec w;
  double b = 0;
};

class PairWithout {
 public:
  PairWithout(const Fitted& fit, Tick& tick)
      : fit_(fit),
        rows_(fit.problem.rows),
        stored_(fit.problem.sizes(tick).stored),
        shift_(rows_.shift.norm()) {}

  const Vec& stored() const { return stored_; }
  double shift() const { return shift_; }

  // The interval by the pair of the point, with b moved to its root, and a = phi'(z), balanced for
  // a free intercept.
  void look(Leaving& leaving, const RemovalPoint& at, Tick& tick) const;

 private:
  bool free() const { return fit_.problem.free(); }

  const Fitted& fit_;
  const Rows& rows_;
  Vec stored_;
  double shift_;
};

}  // namespace dualmargin::decide
