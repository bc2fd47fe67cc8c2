// What the fits of one fold at two lambdas prove of its held-out rows at every lambda between them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "decide/along_spans.h"
#include "decide/smooth_chord.h"
#include "linear/problem.h"

namespace dualmargin::decide {

// Equal rows have one score: of those with different labels the lighter side is wrong at every
// lambda, and what the other side has more counts as one row. Two such rows change sides in
// opposite directions at the same lambda, which no bound on their scores could tell apart.
struct HeldOut {
  RowChoice rows;     // with the label of the heavier side and what it has more
  double total = 0;   // all weight that is held out
  double always = 0;  // of that, wrong at every lambda

  // first: of each row the first one that equals it
  HeldOut(const std::vector<Index>& test, const RowVec& labels, const RowVec& weights,
          const std::vector<Index>& first);
};

// held: y (x'w + b), dual: -y x'u, each off by slack(norm of the row) at most.
struct FoldPoint : AlongPoint {
  Vec held, dual;
  double slack_slope = 0, slack_level = 0;

  double slack(double norm) const { return slack_slope * norm + slack_level; }
};
using FoldPointRef = std::shared_ptr<const FoldPoint>;

// Of all held-out rows between two lambdas, and what intervals within this one start from: norms of
// rows in a Hessian that serve for all of it. ends: half-widths at its two ends.
struct FoldInterval {
  std::vector<Interval> spans;
  std::optional<ChordMemory> chord;
  Vec caps, ends;

  void forget_ends() { ends.resize(0); }
};

class AlongFold {
 public:
  using Solution = linear::Solution;
  using Point = FoldPoint;
  using Between = FoldInterval;

  // train: rows with a weight; all: those that held ones are of. No rows are moved.
  AlongFold(const Rows& train, const LossPtr& loss, bool free, const Rows& all, const HeldOut& held,
            Tick& tick);

  // To be fitted.
  linear::LinearProblem problem(double lambda) const {
    return {rows_, loss_, ElasticNet::from(lambda, 0), free_};
  }
  Index count() const { return held_.n(); }
  double weight(Index i) const { return held_.weights[i]; }
  double total() const { return total_; }
  double always() const { return always_; }

  FoldPointRef point(const linear::Solution& s, double lambda, Tick& tick) const;

  Solution start(const FoldPoint& lower, const FoldPoint& upper, double share) const;

  // Certainly wrong and certainly right rows of a point, by weight. A score of 0 is positive.
  // beside: the intervals whose end it is.
  ErrorCount errors(const FoldPoint& p, const std::vector<const FoldInterval*>& beside,
                    Tick& tick) const;

  // parent: of an interval around this one; what holds there holds here.
  FoldInterval between(const FoldPointRef& lower, const FoldPointRef& upper,
                       const FoldInterval* parent, Tick& tick) const;

 private:
  // |score at the exact optimum - interpolated score| <= (start + th (1 - th) bend) times the norm
  // of the row, that of caps where there are some; harmonic: th is linear in 1/lambda.
  struct Widths {
    double start, bend;
    bool harmonic;
    Vec caps;
  };

  Problem at(double lambda) const { return {rows_, loss_, ElasticNet::from(lambda, 0), free_}; }
  double norm_of(Index i) const { return held_.lengths()[i]; }
  // Of a row of zeros without an intercept the score is 0, which is positive.
  bool still(Index i) const { return !free_ && norm_of(i) == 0; }
  double score_rounding() const { return 2 * rounding::of_score(held_.longest_row()); }

  static Vec ends_of(const HessianChord& chord, const Vec& caps);
  // of held-out rows
  Vec norms(const region::Factor& H, Tick& tick, const std::vector<Index>* some = nullptr) const {
    return region::inverse_norms(H, held_, tick, some);
  }

  // Norms of rows that are not `needed` may be those of the parent, times what the Hessians differ
  // by.
  std::optional<Widths> curved_widths(const FoldPointRef& lower, const FoldPointRef& upper,
                                      const std::vector<Index>& needed, FoldInterval& found,
                                      Tick& tick) const;
  Widths flat_widths(const FoldPoint& lower, const FoldPoint& upper) const;

  void meet_balls(const FoldPoint& lower, const FoldPoint& upper,
                  std::vector<Interval>& spans) const;

  Rows rows_;
  LossPtr loss_;
  bool free_;
  Rows held_;
  double total_, always_, operator_norm_ = 0;
  bool curved_;
};

}  // namespace dualmargin::decide
