// The gap of probabilities u_i whose means are next to the shares of the classes, beside free
// intercepts. The dual point (1 - theta) u + theta p that is balanced (loss/class_intercepts.h) has a
// sum of a_i x_i that is known exactly, and phi^* is convex: of the losses' part of the gap at p, the same
// for all rows, it takes theta at most.
#pragma once

#include "linear/problem.h"

namespace dualmargin::linear {

class BalancedGap {
 public:
  // A pass over the rows where intercepts are free.
  BalancedGap(const JointProblem& problem, Tick& tick);

  // Beside scores z and the mean `losses` of these; gradient: of w, with the u as slopes. theta: how
  // much of the dual point is p.
  struct Told {
    double gap, theta;
  };
  Told at(const Mat& w, const RowMat& z, const RowMat& u, double losses, const Mat& gradient);

  // What is missing of the shares, as it was there.
  const Vec& drift() const { return drift_; }

 private:
  const JointProblem& problem_;
  const ClassLosses& losses_;
  Mat own_;   // sum over the rows of each class of omega_i x_i / W
  Vec pull_;  // over all rows
  Vec drift_;
};

}  // namespace dualmargin::linear
