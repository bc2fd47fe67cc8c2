// For which penalties between two solved ones a held-out row is not certainly wrong, and what that
// says of the error of all rows: a step function that is nowhere above it.
#pragma once

#include <algorithm>
#include <vector>

#include "region/offset.h"
#include "region/pair.h"

namespace dualmargin::decide {

// Where a row is not certainly wrong, in ln lambda.
using region::Interval;
inline bool nowhere(const Interval& span) { return !(span.low <= span.high); }

// The weight of rows that are certainly wrong at a penalty, of those not certainly right, and how
// many are neither.
struct ErrorCount {
  double lower = 0, upper = 0, undecided = 0;
};

// The shares th in [0, 1] outside of which z1 + (z2 - z1) th + g + Q th (1 - th) < 0, Q >= 0, a
// function that is concave in th. Roots by the form without cancellation; each is moved inwards
// until the inequality really holds there, on the side where it is monotone.
Interval not_wrong_share(double z1, double z2, double g, double Q);

// The pair of a fit at its penalty; of a smooth loss the gradient of P there, in the columns and the free
// intercept, and the sizes of its terms.
struct AlongPoint : region::Pair {
  double lambda = 0;
  Vec gradient, terms;
};

// The ball around (w - u v)/2 of squared radius F v + |w + u v|^2/4, v = 1/lambda, holds the
// optimum for the pair of another lambda_0, of any loss without a free intercept. A row of length
// |x|, y x'w = score and -y x'u = dual is certainly wrong where
//
//   score + dual v + |x| (4 F v + |w + u v|^2)^(1/2) < 0,
//
// on an interval of v: w + u v = e v0 + u (v - v0), which does not cancel near v0 = 1/lambda_0.
// A. Shibagaki, Y. Suzuki, M. Karasuyama and I. Takeuchi (2015), arXiv:1502.02344.
class DualBall {
 public:
  explicit DualBall(const AlongPoint& p);

  // |w + u v|, from above
  double length(double v) const;
  // Of the ball at the pair's own lambda, around (w - u v0)/2.
  double radius() const;

  // The lambda up to which a row that is certainly wrong at the pair's own stays so on the way to
  // `end`, by bisection of the logarithm; its own where it is not certainly wrong.
  double reach(double score, double dual, double norm, double slack, double end) const;

 private:
  const AlongPoint& pair_;
  double v0_, ee_, uu_, ue_, lost_;
};

// The lower bound of the error between two lambdas: bound[i] from positions[i] to positions[i + 1],
// in ln lambda.
struct StepBounds {
  std::vector<double> positions, bound;

  double lowest() const { return *std::min_element(bound.begin(), bound.end()); }
};

// Spans and the weights of their rows, collected over all folds.
class StepsOf {
 public:
  void add(const Interval& span, double weight);
  // always: the weight that is wrong at every lambda. At equal places spans open before they close.
  StepBounds steps(double from, double to, double always);

 private:
  struct Change {
    double at, by;
  };
  std::vector<Change> changes_;
  double weight_ = 0;
};

}  // namespace dualmargin::decide
