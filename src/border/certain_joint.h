// What is certain of the optimum of one problem of all classes, wherever its rows lie.
#pragma once

#include <vector>

#include "border/certain.h"
#include "region/joint_intervals.h"

namespace dualmargin::region {

inline Rcpp::List as_list(const JointEnds& ends) {
  Rcpp::IntegerVector first(ends.first.begin(), ends.first.end());
  for (int& c : first) c = c < 0 ? NA_INTEGER : c + 1;
  return Rcpp::List::create(Rcpp::Named("lower") = ends.lower, Rcpp::Named("upper") = ends.upper,
                            Rcpp::Named("prob_lower") = ends.prob_lower,
                            Rcpp::Named("prob_upper") = ends.prob_upper,
                            Rcpp::Named("class") = first);
}

inline KnownJoint as_joint(const Rcpp::List& list) {
  const Rcpp::List ball = list["ball"];
  KnownJoint joint;
  joint.w = border::mat_at(list, "w");
  joint.b = border::vec_at(list, "b");
  joint.centre = border::mat_at(ball, "centre");
  joint.radius = border::number_at(ball, "radius");
  joint.free = border::number_at(list, "free") != 0;
  if (border::has(list, "ellipsoid")) joint.ellipsoid = border::as_ellipsoid(list["ellipsoid"]);
  return joint;
}

// The coefficients of each class, as those of a class problem.
inline Rcpp::List as_problems(const KnownJoint& joint, const Vec& origin) {
  const Index k = joint.classes();
  const double one = std::sqrt(static_cast<double>(k - 1) / static_cast<double>(k));
  const std::vector<JointClass> each = each_class(joint, origin);
  Rcpp::List problems(k);
  for (Index c = 0; c < k; ++c) {
    using Rcpp::Named;
    Rcpp::List known = Rcpp::List::create(
        Named("w") = Vec(joint.w.col(c)), Named("b") = joint.b[c], Named("free") = joint.free,
        Named("zero") = Rcpp::LogicalVector(static_cast<int>(joint.w.rows())),
        Named("ball") = Rcpp::List::create(Named("centre") = Vec(joint.centre.col(c)),
                                           Named("radius") = joint.radius * one));
    if (each[c].inverse.size() > 0) {
      known["ellipsoid"] = Rcpp::List::create(Named("inverse") = each[c].inverse,
                                              Named("inflation") = joint.ellipsoid.factor.inflation,
                                              Named("factor") = joint.ellipsoid.radius);
    }
    if (joint.free) known["intercept"] = border::as_vector(each[c].intercept);
    problems[c] = known;
  }
  return problems;
}

// problem: softmax, free, lambda, y (the class of each row, from 1), w with a column for each class,
// b of the rows as they come, dual; omega: the weights.
template <class Store>
Rcpp::List certain_of_joint(const Store& stored, const Frame& at, const Rcpp::List& problem,
                            const RowVec& omega, Team& team, Tick& tick) {
  const RowVec none = RowVec::Zero(stored.n());
  JointProblem ask{border::number_at(problem, "softmax") != 0,
                   border::number_at(problem, "free") != 0,
                   border::number_at(problem, "lambda"),
                   {}};
  for (const int y : Rcpp::IntegerVector(problem["y"])) ask.own.push_back(y - 1);
  const Vec offsets = border::offsets(at, stored.shift().size());
  const Mat w = border::mat_at(problem, "w");
  Vec b = Vec::Zero(w.cols());
  if (ask.free) b = border::vec_at(problem, "b") + w.transpose() * offsets;
  return stored.visit([&](const auto& data) {
    const Rows all(data, none, omega, team);
    const MovedRows rows(all, stored);
    const JointRegion<std::decay_t<decltype(data)>> region(rows, ask, tick);
    const JointPair pair = region.pair(w, b, border::mat_at(problem, "dual"));
    const auto ball = region.ball(pair);
    const KnownJoint joint{pair.w,      ball.centre, pair.b,
                           ball.radius, ask.free,    region.ellipsoid(pair)};
    using Rcpp::Named;
    Rcpp::List known = Rcpp::List::create(
        Named("w") = joint.w, Named("b") = joint.b, Named("free") = joint.free,
        Named("ball") = Rcpp::List::create(Named("centre") = ball.centre,
                                           Named("radius") = ball.radius, Named("gap") = ball.gap));
    if (joint.ellipsoid.factor.usable()) known["ellipsoid"] = border::as_list(joint.ellipsoid);
    return Rcpp::List::create(
        Named("joint") = known, Named("problems") = as_problems(joint, -offsets),
        Named("centre") = at.centre, Named("training") = as_list(intervals(joint, rows, tick)));
  });
}

}  // namespace dualmargin::region
