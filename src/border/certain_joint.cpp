#include "border/certain_joint.h"

#include <memory>
#include <vector>

#include "border/certain.h"
#include "border/refit_joint.h"
#include "linear/problem.h"

namespace dualmargin::region {

namespace {

Rcpp::List as_list(const JointEnds& ends) {
  Rcpp::IntegerVector first(ends.first.begin(), ends.first.end());
  for (int& c : first) c = c < 0 ? NA_INTEGER : c + 1;
  return Rcpp::List::create(Rcpp::Named("lower") = ends.lower, Rcpp::Named("upper") = ends.upper,
                            Rcpp::Named("prob_lower") = ends.prob_lower,
                            Rcpp::Named("prob_upper") = ends.prob_upper,
                            Rcpp::Named("class") = first);
}

KnownJoint as_joint(const Rcpp::List& list, Index q) {
  const Rcpp::List ball = list["ball"];
  KnownJoint joint;
  joint.w = border::mat_at(list, "w");
  joint.b = border::vec_at(list, "b", joint.w.cols());
  joint.centre = border::mat_at(ball, "centre");
  border::assert_length("w", joint.w.rows(), q);
  border::assert_length("centre", joint.centre.rows(), q);
  border::assert_length("centre", joint.centre.cols(), joint.w.cols());
  joint.radius = border::number_at(ball, "radius");
  joint.free = border::number_at(list, "free") != 0;
  joint.sparse = border::has(list, "sparse") && border::number_at(list, "sparse") != 0;
  if (border::has(list, "ellipsoid")) {
    joint.ellipsoid = border::as_ellipsoid(list["ellipsoid"]);
    const Index size = (q + joint.ellipsoid.free) * joint.w.cols();
    border::assert_length("size", joint.ellipsoid.factor.size.size(), size);
  }
  return joint;
}

// The coefficients of each class, as those of a class problem.
Rcpp::List as_problems(const KnownJoint& joint, const Vec& origin) {
  const Index k = joint.classes();
  const double one =
      joint.sparse ? 1 : std::sqrt(static_cast<double>(k - 1) / static_cast<double>(k));
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

// softmax, free, lambda, mixture, y (the class of each row, from 1), w with a column for each class, b of the
// rows as they come, dual
struct JointQuestion : JointProblem {
  Mat w, dual;
  Vec b;

  // offsets: of the moved rows
  JointQuestion(const Rcpp::List& problem, const Vec& offsets)
      : JointProblem{border::number_at(problem, "softmax") != 0,
                     border::number_at(problem, "free") != 0,
                     ElasticNet::from(border::number_at(problem, "lambda"),
                                      border::number_at(problem, "mixture")),
                     {}},
        w(border::mat_at(problem, "w")),
        dual(border::mat_at(problem, "dual")),
        b(Vec::Zero(w.cols())) {
    for (const int y : Rcpp::IntegerVector(problem["y"])) own.push_back(y - 1);
    if (free) b = border::vec_at(problem, "b") + w.transpose() * offsets;
  }
};

}  // namespace

Rcpp::List certain_of_joint(const Storage& data, const RowFrame& at, const Rcpp::List& problem,
                            const RowVec& omega, Team& team, Tick& tick) {
  const RowVec none = RowVec::Zero(data.n());
  const Vec offsets = at.offsets();
  border::assert_problem(problem, data.n(), data.dim());
  const JointQuestion ask(problem, offsets);
  const Rows rows(data, none, omega, team);
  const JointRegion region(rows, ask, tick);
  const JointPair pair = region.pair(ask.w, ask.b, ask.dual);
  const KnownJoint joint = known_joint(region, pair, ask);
  using Rcpp::Named;
  Rcpp::List known = Rcpp::List::create(
      Named("w") = joint.w, Named("b") = joint.b, Named("free") = joint.free,
      Named("sparse") = joint.sparse,
      Named("ball") = Rcpp::List::create(Named("centre") = joint.centre,
                                         Named("radius") = joint.radius, Named("gap") = joint.gap));
  if (joint.ellipsoid.factor.usable()) known["ellipsoid"] = border::as_list(joint.ellipsoid);
  return Rcpp::List::create(
      Named("joint") = known, Named("problems") = as_problems(joint, -offsets),
      Named("centre") = at.centre, Named("training") = as_list(intervals(joint, rows, tick)));
}

void joint_further(const Storage& data, const RowFrame& at, const Rcpp::List& given,
                   const AskJoint& asked, JointEnds& ends, Team& team, Tick& tick) {
  const border::Further further(border::list_at(given, "further"));
  const Rcpp::List problem = given["problem"];
  border::assert_problem(problem, data.n(), data.dim());
  const RowVec none = RowVec::Zero(data.n()), omega(border::vec_at(problem, "omega"));
  const JointQuestion ask(problem, at.offsets());
  const Rows rows(data, none, omega, team), unmoved = rows.unmoved();
  const Vec& shift = rows.shift;
  const JointRegion region(rows, ask, tick);
  const JointPair pair = region.pair(ask.w, ask.b, ask.dual);
  // the solver's rows are not moved
  linear::JointSolution fit{{pair.w, pair.b}, {RowMat(pair.u.transpose())}, ""};
  if (ask.free) fit.b -= pair.w.transpose() * shift;
  const decide::JointRefitOf one{unmoved, ask.own, ask.w.cols(), ask.softmax, ask.free, ask.g};
  const auto solve = [&](double tol) {
    fit = linear::joint_solved_to(further.call, one, fit, tol, tick);
    Vec b = Vec::Zero(fit.w.cols());
    if (ask.free) b = fit.b + fit.w.transpose() * shift;
    const Mat dual = dual_of(fit.a, ask.own);
    ends.intersect(asked(known_joint(region, region.pair(fit.w, b, dual), ask)));
  };
  decide::settle(
      further.allowed, [&](bool) { return ends.open(); }, solve);
}

Rcpp::List certain_of_other_joint(SEXP x, const Rcpp::List& frame, const Rcpp::List& joint,
                                  Team& team,
                                  FunctionRef<void(const AskJoint& asked, JointEnds& ends)> again,
                                  Tick& tick) {
  const decide::AskedRows rows(border::view(x), border::row_frame(frame), team);
  const AskJoint asked = [&](const KnownJoint& known) {
    return intervals(known, rows.rows(), tick);
  };
  JointEnds ends = asked(as_joint(joint, rows.rows().dim()));
  again(asked, ends);
  return as_list(ends);
}

}  // namespace dualmargin::region
