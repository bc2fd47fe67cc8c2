// One more hard-margin fit of two classes, for what refits within one call. The solvers are compiled in
// hard.cpp and nowhere else; none of them takes a start.
#pragma once

#include "border/again.h"
#include "hard/report.h"
#include "rows/row_store.h"

namespace dualmargin::hard {

template <class Data>
Report solved_to(const border::FitCall& call, const Rows<Data>& rows, bool free, double tol,
                 Tick& tick);

extern template Report solved_to(const border::FitCall&, const Rows<Dense>&, bool, double, Tick&);
extern template Report solved_to(const border::FitCall&, const Rows<Sparse>&, bool, double, Tick&);

}  // namespace dualmargin::hard
