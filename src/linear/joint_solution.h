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

// The better primal and the better dual point of two solutions: any pair makes a certificate.
template <class Problem>
JointSolution best_of(const Problem& problem, JointSolution s, JointSolution later, Tick& tick) {
  const Certificate before = problem.certify(s, tick), after = problem.certify(later, tick);
  JointBest best;
  best.offer_primal(later, after.value);
  best.offer_dual(later, after.bound);
  best.offer_primal(s, before.value);
  best.offer_dual(s, before.bound);
  return {best.primal(), best.dual(), later.solver};
}

// What a method leaves: its last pair where that is certified or asked for, else the best points.
template <class Problem>
JointSolution best_of(const Problem& problem, const JointBest& best, JointSolution last, Run& run) {
  if (run.status() == Status::certified || run.iterate() == Iterate::last) return last;
  JointSolution s{best.primal(), best.dual(), last.solver};
  return best_of(problem, std::move(s), std::move(last), run.tick());
}

}  // namespace dualmargin::linear
