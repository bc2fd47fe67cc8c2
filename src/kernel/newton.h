// What Newton's methods for one function and for one of each class share, newton.cpp and
// softmax_newton.cpp.
#pragma once

#include "base/function_ref.h"
#include "kernel/kernel_problem.h"

namespace dualmargin::kernel {

// The coefficients that a full step leads to, by how much b changes, and what it costs in epochs.
// No coefficients: the matrix cannot be factorised or the time is over.
template <class Array>
struct FullStep {
  Array beta;
  Intercept<Array> delta_b = {};
  double price = 0;
};

// target(f, b, tick): from there.
template <class Problem, class Array = typename Problem::Array>
using StepTarget = FunctionRef<FullStep<Array>(const Array& f, const Intercept<Array>& b, Tick&)>;

// The method. Compiled for both problems.
template <class Problem>
typename Problem::Solution newton_method(const Problem& problem,
                                         const typename Problem::Solution& start,
                                         StepTarget<Problem> target, Run& run);

}  // namespace dualmargin::kernel
