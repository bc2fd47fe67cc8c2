// A cheap start for a second-order solver: two short Newton runs on samples of a sixteenth and a
// quarter of the rows. Half of a row's chance is uniform, half follows its score
// sum_j x_ij^2 / (column norm_j^2 / W + l2 gamma), so that rows with rare features survive; weights
// 1/chance keep the sampled risk unbiased.
//
// Whether a row is taken hangs on its values and not on its place: neither the order of the rows, nor
// copies in the place of weights, nor rows without weight or constant columns change the sample.
#pragma once

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

// (w, b) after the sampled runs on the risk smoothed by q around a = 0; the start itself when there
// are too few rows for a sample to say something (four a coordinate) or one class is missing in it.
Solution subsample_start(const LinearProblem& problem, double q, Solution s, Sampler& sampler,
                         Run& run);

}  // namespace dualmargin::linear
