// A fit of all classes in one problem, with what other weights and labels of its rows share: the
// rows, stored once, the pair, and the curvature of the softmax loss there.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "decide/joint_refit.h"
#include "decide/refit.h"
#include "region/joint_ellipsoid.h"

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
  const Storage& data;
  const JointGiven given;
  const RowVec none;
  const Rows rows;
  const region::MovedRows moved;
  const region::JointRegion region;
  const region::JointPair pair;
  const JointRefit refit;
  // of the softmax loss, where that is small enough
  Mat probabilities, hessian;
  region::Factor factor;
  RowVec norms;

  // data: of the rows, which are not moved at run time
  JointFit(const Storage& data_, const region::Placed& place, JointGiven given_, JointRefit refit_,
           Team& team, Tick& tick)
      : data(data_),
        given(std::move(given_)),
        none(RowVec::Zero(given.omega.size())),
        rows(data, none, given.omega, team),
        moved(rows, place),
        region(moved, given.problem, tick),
        pair(region.pair(given.w, given.b, given.dual)),
        refit(std::move(refit_)) {
    if (!softmax() || classes() * width() > region::largest_joint_hessian) return;
    probabilities = region.probabilities(pair.z);
    hessian = region.hessian(probabilities);
    factor = region.factored(hessian);
    if (factor.usable()) norms = region.norms(factor);
  }
  JointFit(const JointFit&) = delete;

  bool softmax() const { return given.problem.softmax; }
  bool free() const { return given.problem.free; }
  const ElasticNet& g() const { return given.problem.g; }
  bool sparse() const { return g().l1 > 0; }
  Index n() const { return rows.n(); }
  Index classes() const { return pair.w.cols(); }
  // of the coefficients of a class
  Index width() const { return pair.w.rows() + free(); }
  ElasticNet g_for(double weight) const {
    const double more = given.rule == Rule::cost ? rows.total_weight / weight : 1;
    return {more * g().l1, more * g().l2};
  }
  // R over the rows with a weight
  double reach(const RowVec& omega) const {
    return std::max(0.0, rows.max([&](Index i) { return omega[i] > 0 ? norms[i] : 0.0; }));
  }
};

}  // namespace dualmargin::decide
