// Other weights, labels and rows of a fit of all classes in one problem: where the scores of some
// rows would be then, by the pair of the fit, or solved until no class is open.
#pragma once

#include <vector>

#include "decide/joint_problem.h"

namespace dualmargin::decide {

// own, omega: after the change; sets of rows that leave beside it, each by itself; refits: how many
// of these problems may be solved, those first in which most is open.
struct JointChange {
  std::vector<Index> own;
  RowVec omega;
  std::vector<std::vector<Index>> sets;
  double refits = 0;
};

// Ends as differences to the reference.
std::vector<Answer> answers_of(const JointFit& fit, const JointChange& change,
                               const AskedJoint& asked, Tick& tick);

}  // namespace dualmargin::decide
