// The curvature of the softmax loss around a pair of one problem of all classes (of_joint.h). Along
// z + t s its second derivative is the variance of s under the probabilities, that of the variance
// of h at most (max s - min s) times it, so the ellipsoid of ellipsoid.h holds with the joint
// Hessian H and  R = max_i max_{c,d} |(e_c - e_d) (x) (x_i, 1)|_{H^-1}. Moving all free intercepts by
// one number changes nothing: H is made regular in that direction. With an l1 part G is the gradient
// of the rest with any subgradient of l1 |w|_1: that of the optimum lies no further along w* - w.
#pragma once

#include <vector>

#include "region/of_joint.h"

namespace dualmargin::region {

constexpr Index largest_joint_hessian = 1000;

// f(begin, end, tick) for blocks of at most so many rows, side by side.
void for_row_blocks(const Rows& rows, Index width, FunctionRef<void(Index, Index)> f, Tick& tick);

// For each class c the vectors R^{-T} D^{-1} (e_c (x) x) of columns x.
std::vector<Mat> white_classes(const Factor& f, const Mat& x, Index classes);
// The rows at(0), ..., at(count - 1) as columns, with a last entry 1 where `bordered`.
Mat columns_of(const Rows& rows, Index count, FunctionRef<Index(Index)> at, bool bordered);
inline Mat block_of(const Rows& rows, Index begin, Index end, bool bordered) {
  return columns_of(
      rows, end - begin, [&](Index k) { return begin + k; }, bordered);
}
Index joint_width(const Factor& f, Index classes);

}  // namespace dualmargin::region
