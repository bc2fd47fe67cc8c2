// The quadratic model of a proximal Newton step with an l1 part, bounds of the coordinates or both,
//
//   min_v  u'(v - w) + 1/2 (v - w)'H (v - w) + l2/2 |v|^2 + 1/2 |v - w|_damping^2 + l1 |v|_1,
//   lower <= v <= upper,
//
// with H = sum_i h_i (x_i - m) (x_i - m)', m the mean of the x_i under h where the intercept is
// free: its best step is then part of the model. Coordinate descent finds the support, by sweeps
// over all coordinates and more of them over those in use, which stand on no kink of their penalty;
// a linear system on these, signs held, goes the rest of the way. This is the inner problem of
// newGLMNET, G.-X. Yuan, C.-H. Ho and C.-J. Lin (2012), JMLR 13, section 4, with a semismooth finish.
#pragma once

#include <vector>

#include "algebra/normal_matrix.h"
#include "loss/elastic_net.h"
#include "rows/columns.h"

namespace dualmargin::linear {

// The smooth part of F at w: u = gradient of the risk, r its derivative in a free intercept, h_i
// the curvature of row i, weights included. damping: of Levenberg, on |v - w|^2 / 2.
struct NewtonModel {
  const Vec& w;
  const Vec& u;
  double r;
  const RowVec& h;
  ElasticNet g;
  double damping;
};

// `predicted`: what the model falls by.
struct Direction {
  Vec delta;
  double delta_b = 0, predicted = 0;

  bool finite() const { return delta.allFinite() && std::isfinite(delta_b); }
};

// With H over the matrix, which is solved to a thousandth where it is large: it changes with the next
// step anyway. norm: of the columns, by coordinate.
Direction l1_direction(const WeightedGram& gram, bool free, const NewtonModel& model,
                       const Vec& norm, Tick& tick);
// With the matrix H on these coordinates, without an intercept.
Direction l1_direction(Mat H, const std::vector<Index>& set, const NewtonModel& model,
                       const Vec& norm, Tick& tick);

// What a model that stays a product of columns is worth: until the violation has fallen to
// `precision` of the first, `most` entries; so many are visited.
struct ColumnWork {
  double precision, most, visited = 0;
};
Direction l1_direction(const Columns& x, const std::vector<Index>& set, bool free,
                       const NewtonModel& model, const Vec& norm, ColumnWork& work, Tick& tick);

}  // namespace dualmargin::linear
