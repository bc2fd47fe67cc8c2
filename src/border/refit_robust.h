// One more robust fit, for what refits within one call. The solvers are compiled in robust.cpp and
// nowhere else.
#pragma once

#include "border/again.h"
#include "robust/report.h"
#include "rows/row_store.h"

namespace dualmargin::robust {

template <class Data>
Report solved_to(const border::FitCall& call, const TypedRows<Data>& rows, const Settings& settings,
                 const Solution& start, double tol, Tick& tick);

extern template Report solved_to(const border::FitCall&, const TypedRows<Dense>&, const Settings&,
                                 const Solution&, double, Tick&);
extern template Report solved_to(const border::FitCall&, const TypedRows<Sparse>&, const Settings&,
                                 const Solution&, double, Tick&);

}  // namespace dualmargin::robust
