// What can be taken from the columns without any rounding, so that rows far from the origin keep
// the digits in which they differ.
#pragma once

#include "base/team.h"
#include "rows/matrix_view.h"

namespace dualmargin {

// For each column its mean, which rounding does not take out of the range of the entries (a
// constant column becomes zeros); where a difference from that may round, the mean to thirty bits
// of the largest entry; where that may as well, or the column has zeros that are not stored, 0.
//
// Entries and centre are multiples of 2^k; so are their differences, which are exact if they are
// below 2^(53 + k). Where the entries are closer to each other than to the origin all of them are.
Vec exact_centres(const MatrixView& x, Team& team, Tick tick = silent_tick());

}  // namespace dualmargin
