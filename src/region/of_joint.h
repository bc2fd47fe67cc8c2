// What is certain of one problem of k classes (softmax, or Crammer and Singer's): intervals for the
// differences of the scores of two classes, which are all that its predictions rest on. Weight
// vectors w_1, ..., w_k, each with the elastic net g; the optimum of a ridge has sum_c w_c = 0, and
// the fit is taken there.
//
//   Ball      sum_c |w*_c - m_c|^2 <= r^2 = (F + E)/l2 + sum_c |w_c - w_c(a)|^2 / 4,
//             F = (1/W) sum omega [phi(z_i) + phi*(a_i) - a_i'z_i],  w_c(a) = S(-v_c, l1) / l2,
//             E = sum_c (l1 |w_c|_1 + w_c'clip(v_c, l1)),
//             v_c = (1/W) sum omega a_ic x_i: a pair of classes differs by at most 2^(1/2) r |x|,
//             one class around the mean by ((k - 1)/k)^(1/2) r |x|.
//
// and the curvature of the softmax loss, joint_ellipsoid.h.
#pragma once

#include <vector>

#include "loss/elastic_net.h"
#include "region/ball.h"
#include "region/ellipsoid.h"

namespace dualmargin::region {

struct JointProblem {
  bool softmax, free;
  ElasticNet g;            // l2 > 0
  std::vector<Index> own;  // the class of each row, from 0
};

// A row of each matrix is a sample, but w, v: a column is a class.
struct JointPair {
  Mat w, u, a, z, v, v_rounding;
  Vec b, z_rounding;
};

Mat class_scores(const Rows& rows, const Mat& w, const Vec& b, Tick& tick);
Mat class_roundings(const Rows& rows, const Mat& w, const Vec& b, Tick& tick);

class JointRegion {
 public:
  using All = Rows;

  JointRegion(const All& rows, const JointProblem& problem, Tick& tick);

  // u on the simplex, with sum_i omega_i a_i = 0 for free intercepts; b is centred, and w of a ridge.
  JointPair pair(Mat w, Vec b, Mat u) const;

  // phi(z) + phi*(a) - a'z of a row from above
  double excess(const JointPair& p, Index i) const;
  // Their mean, and all that rounding can add to the duality gap.
  double spread(const JointPair& p) const;

  BallIn<Mat> ball(const JointPair& p) const;

  // Of the softmax loss, joint_ellipsoid.h.
  Ellipsoid ellipsoid(const JointPair& p) const;
  // The probabilities of scores, a row for each sample.
  static Mat probabilities(const Mat& z);
  // P of scores and their w
  double value(const Mat& z, const Mat& w) const;
  // With lambda; regular where the intercepts are free.
  Mat hessian(const Mat& q) const;
  Factor factored(const Mat& hessian) const;
  // max_{c,d} |(e_c - e_d) (x) (x_i, 1)|_{H^-1} of each row, from above
  RowVec norms(const Factor& factor) const;
  // The gradient of P, of an l1 part the least subgradient, and the sizes of its terms.
  struct Slope {
    Vec gradient, terms, penalty;  // penalty: its part of the gradient
  };
  Slope slope(const JointPair& p, const Mat& q) const;
  // |G|_{H^-1} from above; reach: R
  double nu(const JointPair& p, const Slope& slope, const Factor& factor, double reach) const;

 private:
  Index n() const { return rows_.n(); }
  Index own(Index i) const { return problem_.own[i]; }
  // phi at scores of 0
  double base(const JointPair& p) const;
  double rounding() const { return rounding::of(rows_.additions() + 8); }
  template <class Term>
  double mean(Term term) const {
    return rows_.sum([&](Index i) { return share_[i] > 0 ? share_[i] * term(i) : 0.0; });
  }

  // (1 - theta) u + theta p, one p for all rows, with the least theta for which p >= 0 balances.
  void balance(Mat& u) const;

  double margin(const JointPair& p, Index i, Index c) const;

  const All& rows_;
  const JointProblem& problem_;
  Tick& tick_;
  RowVec share_;
  const typename All::ColumnSizes& sizes_;
};

}  // namespace dualmargin::region
