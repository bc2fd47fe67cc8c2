// One more fit of a problem of all classes, for what refits many times in one call. The solvers are
// compiled in multiclass.cpp, and nowhere else.
#pragma once

#include "border/call.h"
#include "decide/joint_refit.h"

namespace dualmargin::linear {

// To a tolerance of its own, with the solver, the limits and the seed of a call. In any thread,
// whose tick it is.
JointSolution joint_solved_to(const border::FitCall& call, const decide::JointRefitOf& what,
                              const JointSolution& start, double tol, Tick& tick);

}  // namespace dualmargin::linear
