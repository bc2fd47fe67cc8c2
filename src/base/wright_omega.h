// The root w > 0 of w + log w = x, the Wright omega function. P. W. Lawrence, R. M. Corless and D.
// J. Jeffrey (2012), Algorithm 917: complex double-precision evaluation of the Wright omega
// function, ACM Transactions on Mathematical Software 38(3), 20, doi:10.1145/2168773.2168779: a
// start from the asymptotic series and two steps of a fourth-order iteration.
#pragma once

namespace dualmargin {

double wright_omega(double x);

}  // namespace dualmargin
