// The linear system of a robust interior point method in (w, b, t): the rows' second derivatives,
// the ridge and the cone. b is there only where the intercept is free. With h_i, g_i the second
// derivatives of row i by u_i and by u_i and t, e_i = y_i g_i / h_i, and the cone's Delta, coupling
// k and corner (cone.h; its ray is one more row),
//
//   Delta w + X'p + k t = r_w,   sum_i p_i = r_b,   e'p + k'w + (rest) t = r_t,
//   p_i = h_i (x_i'w + b + e_i t),
//
// solved for (w, b, t), or, where rows are fewer, for (p, b, t):
//
//   (1/h + X Delta^{-1} X') p - 1 b - (e - X Delta^{-1} k) t = X Delta^{-1} r_w.
#pragma once

#include "algebra/cholesky.h"
#include "algebra/normal_matrix.h"
#include "robust/cone.h"
#include "robust/robust_svm.h"

namespace dualmargin::robust {

class NewtonMatrix {
 public:
  NewtonMatrix(const RobustSvm& problem, Run& run);

  Index size() const { return d_ + p_.free_intercept + 1; }
  double intercept(const Vec& x) const { return p_.free_intercept ? x[d_] : 0.0; }

  // u_i = y_i (x_i'w + b)
  RowVec slopes(const Vec& x);
  // sum_i a_i y_i (x_i, 1), the place of t left zero
  Vec gather(const RowVec& a);

  // false: not positive definite in double precision, or the time is over
  bool factor(const KinkTerms& kinks, const Cone& cone);

  // For the right-hand side rest + sum_i a_i y_i (x_i, 1) + ray (the cone's ray): (w, b, t), how it
  // moves u, and what force the ray is left with. Over rows p - y a is solved for, which is as
  // small as multipliers are where a and p are as large as h; and u is taken from p, since h times
  // the rounding of x_i'w would enter the dual residual.
  struct Move {
    Vec x;
    RowVec u;
    double ray = 0;
  };
  Move solve(const RowVec& a, const Vec& rest, double ray);

 private:
  bool factor_columns(const RowVec& g, double tt);

  // All rows lie in this process.
  bool factor_rows(const RowVec& g, double left);
  Vec whole_ray() const;
  // Delta^{-1} (X; ray)'p
  Vec pulled(const Vec& p) const;
  // (X; ray) v
  Vec against_rows(const Vec& v) const;

  const RobustSvm& p_;
  Run& run_;
  WeightedGram gram_;
  Index d_;
  bool over_rows_;
  RowVec h_;
  Vec e_;
  Cone::Curvature cone_;
  Cholesky factor_, corner_;
  Vec inverse_;                 // of h, and of the ray's stiffness
  Mat border_, solved_border_;  // (1, e), less what the coupling takes
};

}  // namespace dualmargin::robust
