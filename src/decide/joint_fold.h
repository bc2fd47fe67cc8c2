// What the fits of one fold of a problem of all classes (softmax, a ridge) at two lambdas prove of its
// held-out rows at every lambda between them: as along_fold.h, with the curvature of
// region/joint_ellipsoid.h. Between (w1, b1) at lambda_1 < lambda_2 and (w2, b2), th linear in lambda,
// q_i = z2_i - z1_i, H the Hessian in the middle of the chord with the ridge lambda_1,
//
//   G(th) = (1-th) G_1 + th G_2 - th (1-th) (lambda_2 - lambda_1) (w2 - w1) + sum_i share_i r_i (x) x_i
//
// r_i what the probabilities on the chord differ from their chord by. Along it the second derivative
// of s'p is E (s - Es)(q - Eq)^2, at most sd(s) sd(q) (max q - min q), and variances are e^{t/2}
// times those in the middle at most, t = max_i (max q_i - min q_i). So in the norm of H
//
//   |G(th)| <= max(|G_1|, |G_2|) + th (1-th) ((lambda_2 - lambda_1) |w2 - w1| + bend),
//   bend = e^{t/2}/2 (sum_i share_i (max q_i - min q_i)^2 var_i(q_i))^{1/2},
//
// and the Hessian on the chord is e^{-t/2} H at least. A row is certainly wrong where another class is
// certainly above its own.
#pragma once

#include <memory>
#include <vector>

#include "base/function_ref.h"
#include "decide/along_spans.h"
#include "decide/joint_asked.h"
#include "decide/joint_refit.h"
#include "region/of_joint.h"

namespace dualmargin::decide {

struct JointFoldPoint {
  double lambda = 0;
  linear::JointSolution solution;
  region::JointPair pair;
};

class JointFold {
 public:
  using Solution = linear::JointSolution;
  using Point = JointFoldPoint;
  using PointRef = std::shared_ptr<const Point>;
  struct Between {
    std::vector<Interval> spans;

    void forget_ends() {}
  };

  // own: the class of each row, from 0; omega: 0 of rows that are not trained on; test: those held
  // out, which count `counted`.
  JointFold(const Storage& data, const std::vector<Index>& own, Index classes, RowVec omega,
            std::vector<Index> test, const RowVec& counted, bool free, JointRefit refit,
            Team& team);
  JointFold(const JointFold&) = delete;

  Index count() const { return static_cast<Index>(test_.size()); }
  double weight(Index i) const { return counted_[test_[i]]; }
  double total() const;
  double always() const { return 0; }

  Solution fit(double lambda, const Solution& start, double tol, Tick& tick) const;
  Solution start(const Point& lower, const Point& upper, double share) const;

  PointRef point(const Solution& s, double lambda, Tick& tick) const;

  // Certainly wrong and certainly right rows of a point, by weight. Of equal scores the first class
  // counts.
  ErrorCount errors(const Point& p, const std::vector<const Between*>&, Tick& tick) const;

  // parent: of an interval around this one; what holds there holds here.
  Between between(const PointRef& lower, const PointRef& upper, const Between* parent,
                  Tick& tick) const;

 private:
  // |difference of scores at the exact optimum - interpolated one| <= (start + th (1 - th) bend)
  // times its norm
  struct Widths {
    double start = HUGE_VAL, bend = HUGE_VAL;
    Mat norms;

    bool known() const { return std::isfinite(start) && std::isfinite(bend); }
  };

  // f(region) of the rows trained on, at lambda
  void at(double lambda, Tick& tick, FunctionRef<void(const region::JointRegion&)> f) const;
  bool looks_wrong(const Point& p, Index i) const;

  Widths widths_between(const Point& lower, const Point& upper, const std::vector<Index>& needed,
                        Tick& tick) const;

  const std::vector<Index>& own_;
  const Index classes_;
  const bool free_;
  const RowVec none_, omega_;
  const std::vector<Index> test_;
  const RowVec& counted_;
  const JointRefit refit_;
  const Rows rows_;
  const AskedJointIn asked_;
};

}  // namespace dualmargin::decide
