// The optimum without each set of rows (a row alone, or a group), and what it says of these rows.
#pragma once

#include <cmath>
#include <vector>

#include "decide/altered.h"
#include "decide/refit.h"

namespace dualmargin::decide {

// radius: in the norm of M; plain: of (w, b), as the moved rows are. own: the score of each row of
// the set.
struct LeftOutOptimum {
  Vec w, own, own_half;
  double b = 0, radius = HUGE_VAL, plain = HUGE_VAL;
  int steps = 0;
  bool near = false, refitted = false;

  double loose() const { return own_half.size() > 0 ? own_half.maxCoeff() : 0.0; }
};

class LeftOutOptima {
 public:
  using Sets = std::vector<std::vector<Index>>;

  // shrink: the ridge of the problem without each set (a column), in units of that of all rows
  LeftOutOptima(const AlteredOptima& optima, Rule rule, const Mat& shrink, const Sets& sets)
      : optima_(optima), rule_(rule), shrink_(shrink), sets_(sets) {}

  // Norms of rows to come: v -> |v| in M^-1, from above.
  Mat whitening() const;

  // steps: with the Hessian of the fit, at most; refits: how many may be solved by Hessians of their
  // own, those that are known least.
  std::vector<LeftOutOptimum> solve(int steps, double refits, Tick& tick) const;

 private:
  Altered without(std::size_t k) const;

  // Kept if the set's own scores are known better.
  bool take(std::size_t k, const AlteredOptima::Point& point, LeftOutOptimum& best) const;

  const AlteredOptima& optima_;
  const Rule rule_;
  const Mat& shrink_;
  const Sets& sets_;
};

}  // namespace dualmargin::decide
