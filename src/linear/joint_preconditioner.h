// The Hessian of a smoothed problem of all classes, or what can be inverted in its place:
//
//   \lambda I + \frac1{W \mu} \sum_i \omega_i (diag(p_i) - p_i p_i^\top) \otimes x_i x_i^\top
//
// At first with the mean of the rows' matrices diag(p_i) - p_i p_i^\top, C, for all of them: that
// is C \otimes G + \lambda I with one Gram matrix G, a system of p columns for each eigenvector of
// C, and exact while the rows have the same probabilities. Once the steps of conjugate gradients
// that were taken with it have cost as much as what follows, as one matrix where that is small;
// without what couples the classes, a matrix for each; or its diagonal. Of these each takes the
// place of the one before where that is too large, or singular in double precision. Vectors have
// the weights of a class, and its intercept where that is free, beside one another, and sum to zero
// over the classes.
#pragma once

#include <vector>

#include "algebra/cholesky.h"
#include "algebra/normal_matrix.h"
#include "linear/problem.h"
#include "run/run.h"

namespace dualmargin::linear {

class JointPreconditioner {
 public:
  // share: of the rows of a fit that these are
  explicit JointPreconditioner(const JointProblem& problem, double share = 1);

  // What steps of conjugate gradients are worth: how far they lower r' H^{-1} r.
  double accuracy() const { return kind_ == Kind::level || kind_ == Kind::whole ? 1e-4 : 1e-2; }

  // So many products of the Hessian were taken with it.
  void used(int products);
  // A matrix for each class from here on; false: they would be too large.
  bool separate() {
    if (kind_ != Kind::diagonal) kind_ = Kind::classes;
    return kind_ == Kind::classes;
  }

  // At these probabilities; false: the time is over.
  bool build(const RowMat& p, double mu, Run& run);

  // About the inverse of the Hessian, times r.
  Vec operator()(const Vec& r) const;

 private:
  enum class Kind { level, whole, classes, diagonal };

  static Mat centred(const Mat& x) { return x.colwise() - x.rowwise().mean(); }

  // omega_i p_ic (1 - p_ic) / (W mu), or for two classes -omega_i p_ic p_il / (W mu)
  RowVec curvature(const RowMat& p, double mu, Index c) const;
  RowVec coupling(const RowMat& p, double mu, Index c, Index l) const;

  bool build_level(const RowMat& p, double mu, Run& run);

  // Rows without curvature cost nothing. What all classes have in common, which no vector has, is
  // made definite.
  bool build_whole(const RowMat& p, double mu, Run& run);

  bool build_classes(const RowMat& p, double mu, Run& run);

  void build_diagonal(const RowMat& p, double mu, Run& run);

  const ClassLosses& losses_;
  const Rows& rows_;
  Index k_;
  bool free_;
  double l2_, share_;
  Index width_;
  Kind kind_, next_;
  double worth_;
  Mat directions_;
  std::vector<WeightedGram> grams_;
  std::vector<Cholesky> factors_;
  Mat diagonal_;
};

}  // namespace dualmargin::linear
