// One more hard-margin fit of two classes, for what refits within one call. The solvers are compiled in
// hard.cpp and nowhere else; none of them takes a start.
#pragma once

#include "border/again.h"
#include "hard/hard_margin.h"
#include "rows/row_store.h"

namespace dualmargin::hard {

Report solved_to(const border::FitCall& call, const Rows& rows, bool free, double tol, Tick& tick);

}  // namespace dualmargin::hard
