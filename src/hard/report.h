// What leaves the hard family: a direction of length one, or for k classes of length 1 / sqrt(2),
// so that scores and their differences are in the unit of the margin, and the interval, both on the
// user's scale.
#pragma once

#include "hard/hard_margin.h"
#include "run/outcome.h"
#include "run/run.h"

namespace dualmargin::hard {

// Is there a direction of positive margin? Yes: the returned one's is positive whatever rounding
// did. No: the returned q has A'q = 0 within the rounding of that sum.
enum class Separable { yes, no, undecided };

struct Report : Outcome {
  Solution solution;
  Mat scores;  // of all examples, without the intercept; a column for each class
  Separable separable = Separable::undecided;
  NegativeSquare negative;
  double residual = 0;  // |A'q| where the rows are not separable
};

// `problem` is that of the exact rows, whatever the solver worked on. What it carried along is
// recomputed from c; w is, for a kernel.
Report report(const HardMargin& problem, Solution s, Run& run);

}  // namespace dualmargin::hard
