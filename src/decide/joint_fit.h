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
  // What a row has of each score (fitted.h).
  using ScoreVector = Vec;
  using ScoreMatrix = Mat;
  static constexpr bool by_columns = false;  // no ball has an l1 part

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
  bool cost() const { return given.rule == Rule::cost; }
  bool constant() const { return false; }
  Index n() const { return rows.n(); }
  Index classes() const { return pair.w.cols(); }
  // of the coefficients of a class
  Index width() const { return pair.w.rows() + free(); }
  ElasticNet g_for(double weight) const;

  Index own(Index i) const { return given.problem.own[i]; }
  double omega(Index i) const { return given.omega[i]; }
  Vec scores(Index i) const { return pair.z.row(i); }
  Vec dual(Index i) const { return pair.a.row(i); }
  double excess(Index i) const { return region.excess(pair, i); }
  double mean_excess() const { return region.spread(pair); }
  double W() const { return rows.total_weight; }
  double kappa() const { return g().l2 * W(); }
  double share_left(Index i) const { return weight_left(given.omega, W(), &i, 1) / W(); }
  double share_left(const std::vector<Index>& out) const {
    return weight_left(given.omega, W(), out) / W();
  }
  double kappa_without(Index i) const { return cost() ? kappa() : kappa() * share_left(i); }
  // The score of each class above that of the row's own.
  template <class Use>
  void for_contrasts(Index i, Use use) const {
    for (Index c = 0; c < classes(); ++c) {
      const Vec apart = Vec::Unit(classes(), c) - Vec::Unit(classes(), own(i));
      if (c != own(i)) use(static_cast<std::size_t>(c), apart);
    }
  }
  // R over the rows with a weight
  double reach(const RowVec& omega) const;
};

}  // namespace dualmargin::decide
