// Norms in H^{-1} of some rows, by the factor of a Hessian (region/ellipsoid.h): a constant
// coordinate is appended where that has one more than the rows.
#pragma once

#include <vector>

#include "region/ellipsoid.h"

namespace dualmargin::decide {

// In their order.
Vec inverse_norms(const region::Factor& factor, const Rows& rows, const std::vector<Index>& some,
                  Tick& tick);

Vec inverse_norms(const region::Factor& factor, const Rows& rows, Tick& tick);

}  // namespace dualmargin::decide
