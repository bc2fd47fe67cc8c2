// What is certain about the largest margin. For a unit vector w with margin lo and any convex
// combination p = sum q_i y_i x_i of the rows (half of q in each class where the intercept is free)
// with |p| <= hi: w'w* >= lo/gamma* and p'w* >= gamma*, so w* is near both, and
//
//   |w* - m|^2 <= 1 + |m|^2 - 2 (lo/hi)^(1/2),  m = (w + p/hi)/2.
//
// A free b* is in the middle between the classes: -(min over + of x'w* + max over - of x'w*)/2.
#pragma once

#include "region/region.h"

namespace dualmargin::region {

OffsetRule middle_rule(const Rows& rows);

Region hard_region(const Problem& problem, const Vec& w, double b, const RowVec& q, double gap,
                   double bound, const Vec& origin, Tick& tick);

}  // namespace dualmargin::region
