// The curvature that the rows have for certain around a pair of a smooth loss. Let every optimal
// score z*_i be known to lie within [l_i, h_i], z_i too, and phi' rise there by at least c_i for
// each unit. With d = (w*, b*) - (w, b), the gradient G at (w, b) and H = (1/W) sum omega_i c_i x_i
// x_i' + mu I,
//
//   d'H d <= (grad P(w*, b*) - G)'d <= -G'd,   so   |d|_H <= |G|_{H^-1},
//
// as the subgradients of an l1 part are monotone too. Where no row can cross a kink of a piecewise
// linear slope this is the curvature of the fit, whatever rounding leaves of its duality gap.
#pragma once

#include "region/of_kernel.h"

namespace dualmargin::region {

// The sizes of the terms of the gradient at scores with these slopes, and what rounding can have done to
// its length in H^-1, where rows with a weight are no longer than `reach`: scores that are off by e move
// slopes by e/gamma.
Vec gradient_terms(const Problem& problem, const Vec& w, const RowVec& slope, Tick& tick);
double gradient_rounding(const Problem& problem, const Pair& pair, const Vec& terms,
                         const Factor& factor, double reach);

// With the curvature at the pair (ellipsoid.h), of the logistic and the squared loss.
Ellipsoid ellipsoid_of(const Problem& problem, const Pair& pair, Tick& tick);
FunctionEllipsoid ellipsoid_of(const FunctionProblem& problem, const FunctionPair& pair,
                               Tick& tick);

// centre: every optimal offset over the ball, where the intercept is free, of `placed`, the rows as
// they are moved for it.
Ellipsoid secant_of(const Problem& problem, const Pair& pair, const Ball& ball,
                    const Interval& centre, const Rows& placed, Tick& tick);
FunctionEllipsoid secant_of(const FunctionProblem& problem, const FunctionPair& pair,
                            const BallIn<Function>& ball, const Interval& centre,
                            const FunctionRows& placed, Tick& tick);

// With the curvature of a slope with pieces where no row can cross a kink of it within the ball.
Region curved_region_of(const Problem& problem, const Pair& pair, const Vec& origin, Tick& tick);

}  // namespace dualmargin::region
