// exp() of many numbers at once. In double precision Eigen's, in single precision one that took two
// thirds to nine tenths of its time:
//
//   x = k log 2 + r,  k whole, |r| <= log(2) / 2,  exp(x) = 2^k exp(r)
//
// with the Taylor polynomial of degree 7 for exp(r), remainder below 6e-9, and 2^k made of its
// bits. Within 2 units in the last place. Arguments are clamped to +-87, where 2^k is normal.
#pragma once

#include "base/numeric.h"

namespace dualmargin {

void exp_in_place(double* values, Index n);
void exp_in_place(float* values, Index n);

}  // namespace dualmargin
