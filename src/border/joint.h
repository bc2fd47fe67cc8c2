// A fit of all classes in one problem, across the border, for questions on what would be of it.
#pragma once

#include <utility>

#include "border/decide.h"
#include "border/refit_joint.h"
#include "decide/joint_fit.h"

namespace dualmargin::border {

// problem: softmax, free, lambda, mixture, rule, y (the class of each row, from 1), omega, w with a column for
// each class, b of the rows as they come, dual; offsets: of the rows' origin.
inline decide::JointGiven joint_given(const Rcpp::List& problem, const Vec& offsets) {
  decide::JointGiven given{
      {number_at(problem, "softmax") != 0,
       number_at(problem, "free") != 0,
       ElasticNet::from(number_at(problem, "lambda"), number_at(problem, "mixture")),
       {}},
      rule(problem),
      RowVec(vec_at(problem, "omega")),
      mat_at(problem, "w"),
      Vec(),
      mat_at(problem, "dual")};
  for (const int y : Rcpp::IntegerVector(problem["y"])) given.problem.own.push_back(y - 1);
  given.b = Vec::Zero(given.w.cols());
  if (given.problem.free) given.b = vec_at(problem, "b") + given.w.transpose() * offsets;
  return given;
}

inline decide::JointRefit joint_refit(const FitCall& call) {
  return [&call](const decide::JointRefitOf& what, const linear::JointSolution& start, double tol,
                 Tick& tick) { return linear::joint_solved_to(call, what, start, tol, tick); };
}

}  // namespace dualmargin::border
