// For the tests: what the lemmas say by themselves of a problem of all classes (softmax), seen from any
// pair of points (lemmas.h has those of one).
#pragma once

#include <stdexcept>
#include <vector>

#include "border/decide.h"
#include "decide/joint_problem.h"
#include "decide/joint_removal.h"
#include "probes/probe.h"
#include "rows/row_store.h"

namespace dualmargin::decide {

// From classes 1, 2, ...
inline std::vector<Index> classes_from_0(const Rcpp::IntegerVector& from_1) {
  std::vector<Index> own(from_1.begin(), from_1.end());
  for (Index& c : own) --c;
  return own;
}

// given: mu, l1, free, cost (the rule); w, b, a: any pair, a column a class; others: weights and classes
// once they have changed.
//
//   centre, radius, gap     of the pair by L1
//   curved, norms           by L2 at the pair, where the curvature is known
//   step, ball, at          of the changed problem: how far its optimum is from (w, b) in the norm of the
//                           Hessian of the fit, and from `at`
//   low, high               differences of the scores that each row would have without it
//   least                   what is left of the Hessian once the rows `out` have gone
inline Rcpp::List probe_joint_lemmas(Rcpp::NumericMatrix x, Rcpp::IntegerVector own,
                                     Rcpp::NumericVector weights, Rcpp::List given,
                                     Rcpp::NumericMatrix w, Rcpp::NumericVector b,
                                     Rcpp::NumericMatrix a, Rcpp::List others) {
  using Rcpp::Named;
  const border::Options ask(given);
  const RowVec omega(border::vec(weights));
  Run run = probes::quiet_run();
  Tick& tick = run.tick();
  Team team;
  const RowStore store(border::view(x));
  const std::unique_ptr<Storage> data = store.storage(0);
  const region::JointProblem problem{
      true, ask.flag("free"), {ask.number("l1"), ask.number("mu")}, classes_from_0(own)};
  const auto never = [](const JointRefitOf&, const linear::JointSolution&, double,
                        Tick&) -> linear::JointSolution { throw std::logic_error("no refit"); };
  const JointFit fit(*data,
                     {problem, ask.flag("cost") ? Rule::cost : Rule::lambda, omega, border::mat(w),
                      border::vec(b), border::mat(a)},
                     never, team, tick);
  const auto ball = fit.region.ball(fit.pair);
  const region::Ellipsoid e = fit.region.ellipsoid(fit.pair);
  Rcpp::List out = Rcpp::List::create(Named("centre") = ball.centre, Named("radius") = ball.radius,
                                      Named("gap") = ball.gap, Named("curved") = e.radius);
  if (e.usable()) out["norms"] = e.norms.local();

  const RowVec changed_omega(border::vec(others["omega"]));
  const std::vector<Index> changed_own = classes_from_0(others["own"]);
  const JointOptimum known = JointChanged(fit, changed_omega, changed_own, tick).known();
  out["step"] = known.step;
  out["ball"] = known.ball;
  if (known.centre.size() > 0) out["at"] = known.centre;

  const std::vector<Ends> ends = removal_bounds(fit, tick);
  Mat low(fit.n(), fit.classes()), high(fit.n(), fit.classes());
  for (Index c = 0; c < fit.classes(); ++c) {
    low.col(c) = ends[c].low.local();
    high.col(c) = ends[c].high.local();
  }
  out["low"] = low;
  out["high"] = high;

  std::vector<Index> gone;
  double left = fit.rows.total_weight;
  for (Index i = 0; i < fit.n(); ++i) {
    if (changed_omega[i] > 0 || !(omega[i] > 0)) continue;
    gone.push_back(i);
    left -= omega[i];
  }
  out["least"] = JointChord(fit, gone, left / fit.rows.total_weight).least(0);
  return out;
}

inline void add_joint_probes(probes::Table& table) {
  table.add("joint_lemmas", probe_joint_lemmas);
}

}  // namespace dualmargin::decide
