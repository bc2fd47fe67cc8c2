// Intervals of one problem of all classes (of_joint.h): of each class's score around the mean over
// the classes, of its probability (of the softmax loss), and the class with the largest score where
// that is certain, of equal ones the first.
#pragma once

#include <algorithm>
#include <vector>

#include "region/of_joint.h"
#include "region/offset.h"

namespace dualmargin::region {

struct KnownJoint {
  Mat w, centre;  // of the fit and of the ball
  Vec b;
  double radius = HUGE_VAL, gap = HUGE_VAL;
  bool free = false;
  bool sparse = false;  // with an l1 part, which determines what the weights have in common
  Ellipsoid ellipsoid;

  Index classes() const { return w.cols(); }
};

KnownJoint known_joint(const JointRegion& region, const JointPair& pair,
                       const JointProblem& problem);

struct JointEnds {
  Mat lower, upper, prob_lower, prob_upper;
  std::vector<int> first;  // the class, from 0, or -1

  bool open() const { return std::count(first.begin(), first.end(), -1) > 0; }
  void intersect(const JointEnds& other);
};

JointEnds intervals(const KnownJoint& joint, const Rows& rows, Tick& tick);

// Each class by itself: half the range of each coefficient by the ellipsoid, of a ridge around the
// mean over the classes, in units of its radius, and the range of the user's intercept, around it.
struct JointClass {
  Vec inverse;
  Interval intercept;
};

std::vector<JointClass> each_class(const KnownJoint& joint, const Vec& origin);

}  // namespace dualmargin::region
