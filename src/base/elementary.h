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

// The root w > 0 of w + log w = x, the Wright omega function. P. W. Lawrence, R. M. Corless and D.
// J. Jeffrey (2012), Algorithm 917: complex double-precision evaluation of the Wright omega
// function, ACM Transactions on Mathematical Software 38(3), 20, doi:10.1145/2168773.2168779: a
// start from the asymptotic series and two steps of a fourth-order iteration.
double wright_omega(double x);

}  // namespace dualmargin
