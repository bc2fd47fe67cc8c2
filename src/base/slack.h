// Names of the rounding model (base/rounding.h) for formulas on terms whose own rounding is counted in.
#pragma once

namespace dualmargin::rounding {

// What a bound is raised or lowered by for the operations of its own formula, some thousand of them,
// where its terms have theirs counted in: sums, products and roots; with exp(), logarithms and powers
// in it; with a factor of a matrix, its inverse or eigenvalues.
constexpr double slack = 1e-12, raised = 1 + slack, lowered = 1 - slack;
constexpr double slack_exp = 1e-10, raised_exp = 1 + slack_exp, raised_factor = 1 + 1e-8;

// A root of a formula, found by bisection: an end is moved outwards by this share.
constexpr double of_root = 1e-13;

}  // namespace dualmargin::rounding
