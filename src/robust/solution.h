// What a robust solver returns: a primal point (w, b, t) and multipliers (alpha, beta) of the rows.
#pragma once

#include "rows/row_sums.h"
#include "run/incumbent.h"
#include "run/snapshot.h"

namespace dualmargin::robust {

struct Primal {
  Vec w;
  double b = 0, t = 0;
  RowVec z;  // the scores x_i'w + b as certify() left them
};
struct Dual {
  RowVec alpha, beta;
  Vec v;  // (1/W) sum_i omega_i (alpha_i - beta_i) y_i x_i as certify() left it
};
struct Solution : Primal, Dual {
  const char* solver = "";  // the one that finished

  bool finite(const RowSums& rows) const {
    return w.allFinite() && std::isfinite(b) && std::isfinite(t) &&
           !rows.any([&](Index i) { return !std::isfinite(alpha[i] + beta[i]); });
  }
};

using Best = Incumbent<Primal, Dual>;
using Seen = Snapshot<Primal, Dual>;

}  // namespace dualmargin::robust
