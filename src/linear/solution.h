// What a solver of the linear family returns, and the best pair of points of a run.
#pragma once

#include "rows/row_mat.h"
#include "rows/row_vec.h"
#include "run/certificate.h"
#include "run/incumbent.h"
#include "run/outcome.h"
#include "run/snapshot.h"

namespace dualmargin::linear {

// w: weights of the (scaled) columns, a penalised intercept last; b: free intercept (else 0).
struct Primal {
  Vec w;
  double b = 0;
};
// a_i = phi'(z_i)
struct Dual {
  RowVec a;
};
struct Solution : Primal, Dual {
  const char* solver = "";  // the one that finished
};

// With z_i = x_i'w + b, and with u = (1/W) sum_i omega_i a_i x_i: what a certificate is made of.
struct ScoredPrimal : Primal {
  RowVec z;
};
struct SummedDual : Dual {
  Vec u;
};

using Best = Incumbent<Primal, Dual>;
using Seen = Snapshot<Primal, Dual>;

// What a method for all classes returns, and the best pair of points of a run. w: a column for each
// class, a penalised intercept last; b: free intercepts (else 0).
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
