// What a method for all classes returns, and the best pair of points of a run.
#pragma once

#include "rows/row_mat.h"
#include "run/incumbent.h"
#include "run/outcome.h"
#include "run/snapshot.h"

namespace dualmargin::linear {

// w: a column for each class, a penalised intercept last; b: free intercepts (else 0).
struct JointPrimal {
  Mat w;
  Vec b;
};
struct JointDual {
  RowMat u;
};
struct JointSolution : JointPrimal, JointDual {
  const char* solver = "";
};

using JointBest = Incumbent<JointPrimal, JointDual>;
using JointSeen = Snapshot<JointPrimal, JointDual>;

struct JointReport : Outcome {
  JointSolution solution;
  Mat scores, dual;  // a column for each class; dual: a
};

}  // namespace dualmargin::linear
