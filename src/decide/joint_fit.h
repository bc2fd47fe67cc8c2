// A fit of all classes in one problem, with what other weights and labels of its rows share: the
// rows, stored once, the pair, and the curvature of the softmax loss there.
#pragma once

#include "decide/joint_refit.h"
#include "decide/refit.h"
#include "region/of_joint.h"

namespace dualmargin::decide {

// problem: with the classes of the fit, and of rows that come any; omega: the weights of the fit, 0
// of rows that come
struct JointGiven {
  region::JointProblem problem;
  Rule rule;
  RowVec omega;
  Mat w;
  Vec b;
  Mat dual;
};

class JointFit {
 public:
  const JointGiven given;
  const RowVec none;
  const Rows rows;
  const region::JointRegion region;
  const region::JointPair pair;
  const JointRefit refit;
  // of the softmax loss, where that is small enough
  Mat probabilities, hessian;
  region::Factor factor;
  RowVec norms;

  JointFit(const Storage& data, JointGiven given_, JointRefit refit_, Team& team, Tick& tick);
  JointFit(const JointFit&) = delete;

  bool softmax() const { return given.problem.softmax; }
  bool free() const { return given.problem.free; }
  const ElasticNet& g() const { return given.problem.g; }
  bool sparse() const { return g().l1 > 0; }
  Index n() const { return rows.n(); }
  Index classes() const { return pair.w.cols(); }
  // of the coefficients of a class
  Index width() const { return pair.w.rows() + free(); }
  ElasticNet g_for(double weight) const;
  // R over the rows with a weight
  double reach(const RowVec& omega) const;
};

}  // namespace dualmargin::decide
