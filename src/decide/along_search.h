// Branch and bound over lambda: E(lambda), the weight of the held-out rows of all folds that are
// misclassified, between its lower bound everywhere and its upper bound at the points solved.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/function_ref.h"
#include "decide/along_spans.h"

namespace dualmargin::decide {

struct SearchLimits {
  double low, high;  // of lambda
  double eps;        // how much more than the smallest error, a share of the weight
  Index most;        // points
};

struct SearchPoint {
  double lambda = 0;
  ErrorCount errors;
};
struct SearchInterval {
  double from = 0, to = 0;  // ln lambda
  StepBounds steps;
  double lowest = 0;

  double width() const { return to - from; }
  // The middle of where the bound is too low, a tenth off the ends.
  double middle(double target) const;
};

struct Search {
  std::vector<SearchPoint> points;
  std::vector<SearchInterval> intervals;
  double total = 0;
  const char* ended = "proven";  // "points", or "narrow": two rows cannot be told apart
};

// Of the folds (along_fold.h, joint_fold.h):
//
//   Fold::Solution                 what a fit of one returns
//   Fold::Point, Fold::Between     what is kept of a fit, and of what two of them prove
//   point(solution, lambda)        a Point
//   between(lower, upper, parent)  a Between, within which Between of the interval around it
//   errors(point, beside)          of the rows held out
//   start(lower, upper, share)     where a fit between them begins
template <class Folds>
class PenaltySearch {
  using Fold = typename Folds::value_type;

 public:
  using Solution = typename Fold::Solution;
  using Fit = std::function<Solution(Index k, double lambda, const Solution& start, Tick&)>;

  PenaltySearch(const Folds& folds, Fit fit, Team& team, Tick& tick);

  // Three points a decade to begin with.
  Search run(const SearchLimits& limits) &&;

 private:
  using PointRef = std::shared_ptr<const typename Fold::Point>;
  using Between = typename Fold::Between;
  struct Point : SearchPoint {
    std::vector<PointRef> folds;
  };
  struct Interval : SearchInterval {
    std::vector<Between> folds;
  };
  static constexpr double narrow = 1e-9;

  // A point is of use to the intervals that it is an end of, as long as they are open.
  void forget_points();

  // Where the bound is lower; of several the widest.
  static bool goes_before(const SearchInterval& a, const SearchInterval& b, double tiny);

  // f(k, tick), folds side by side.
  void for_folds(FunctionRef<void(Index, Tick&)> f);

  void begin(const SearchLimits& limits);

  // A point between, started from the chord of its neighbours, and what it makes of the interval.
  void split(std::size_t at, double target);

  void find_steps(Interval& one);
  static void add(ErrorCount& total, const ErrorCount& more);

  const Folds& folds_;
  Fit fit_;
  Team& team_;
  Tick& tick_;
  std::vector<Point> points_;
  std::vector<Interval> intervals_;
  Search found_;
  double always_ = 0;
};

}  // namespace dualmargin::decide
