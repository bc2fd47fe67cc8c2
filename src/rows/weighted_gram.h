// sum_k h_k x_r x_r' of rows, and other products of matrices tile by tile, on the threads of a team.
#pragma once

#include <vector>

#include "base/team.h"
#include "rows/storage.h"

namespace dualmargin {

// H += sum_k h_k x_r x_r', r = rows[k], in the lower triangle, on the coordinates j with
// map[j] >= 0 at place map[j]; of no use once the time is over. A matrix for each range of rows where
// these are small beside the work; else the threads share H.
void add_weighted_gram(const Storage& x, const std::vector<Index>& rows, const Vec& h,
                       const std::vector<Index>& map, Mat& H, Team& team, Tick& tick);

// Of an entry of the sum over so many rows.
double gram_additions(const Storage& x, double rows);

// H += left right' in its lower triangle, of the first `filled` columns of both.
void add_tiles(const Mat& left, const Mat& right, Index filled, Mat& H, Team& team, Tick& tick);

}  // namespace dualmargin
