// One more robust fit, for what refits within one call. The solvers are compiled in robust.cpp and
// nowhere else.
#pragma once

#include "border/again.h"
#include "robust/robust_svm.h"
#include "rows/row_store.h"

namespace dualmargin::robust {

Report solved_to(const border::FitCall& call, const Rows& rows, const Settings& settings,
                 const Solution& start, double tol, Tick& tick);

}  // namespace dualmargin::robust
