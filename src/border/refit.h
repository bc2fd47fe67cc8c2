// One more fit of a linear problem, for what refits many times in one call.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "border/call.h"
#include "decide/refit.h"
#include "linear/problem.h"
#include "rows/row_store.h"

namespace dualmargin::linear {

Solution solve_by_name(const std::string& solver, const LinearProblem& problem,
                       const border::Options& option, const Solution& start, Sampler& draws,
                       Run& run);

Reading reading_of(const std::string& solver);

// With the solver, tolerance and limits of a call, the limits counted anew. In any thread, whose
// tick it is.
Report refit(const border::FitCall& call, std::uint64_t seed, const LinearProblem& problem,
             const Solution& start, Tick& tick);

// The points alone, to tolerances of their own, by draws of the call's seed, which must outlive it.
decide::Refits refits_of(const border::FitCall& call, std::function<Columns()> columns);

}  // namespace dualmargin::linear
