// A fit, or a path over lambda, of all classes in one problem, wherever its rows lie.
#pragma once

#include <string>
#include <vector>

#include "border/frame.h"
#include "border/stored_rows.h"
#include "linear/path_scale.h"

namespace dualmargin::linear {

// u on the simplex from dual variables a: rounding in R leaves them off it by as much.
inline RowMat simplex_points(const Mat& dual, const std::vector<Index>& y) {
  RowMat u(dual.transpose());
  for (Index i = 0; i < u.size(); ++i) {
    u(i, y[i]) += 1;
    u[i] = u[i].cwiseMax(0);
    u[i] /= u[i].sum();
  }
  return u;
}

inline JointSolution joint_start(const border::FitCall& call, const border::Frame& frame,
                                 const std::vector<Index>& y, Index classes) {
  JointSolution s;
  if (!call.start.has("coefficients")) return s;
  s.b = Vec::Zero(classes);
  for (int c = 0; c < classes; ++c) {
    Vec w;
    frame.enter(call.start, c, w, s.b[c]);
    if (c == 0) s.w.resize(w.size(), classes);
    s.w.col(c) = w;
  }
  if (call.start.has("dual"))
    s.a = simplex_points(call.start.all("dual", static_cast<Index>(y.size()), classes), y);
  return s;
}

// Weights and intercepts of what the user gave.
inline void leave(const JointPrimal& s, const border::Frame& frame, border::Fields& out) {
  const Index p = frame.scales.size(), classes = s.w.cols();
  Mat slopes(p, classes);
  Vec near(classes), intercept(classes);
  for (Index c = 0; c < classes; ++c) {
    const auto w = s.w.col(c);
    slopes.col(c) = w.head(p).cwiseQuotient(frame.scales);
    near[c] = frame.penalized ? w[p] : s.b[c];
    intercept[c] = near[c] - frame.offset(slopes.col(c));
  }
  out.add("near", std::move(near));
  out.add("intercept", std::move(intercept));
  out.add("coefficients", std::move(slopes));
}

// y: classes, from 0
inline border::Answer answer(const JointReport& r, const std::vector<Index>& y,
                             const border::Frame& frame, bool brief) {
  border::Answer out(r, r.solution.solver, brief);
  leave(r.solution, frame, out);
  if (brief) return out;
  out.add("scores", Mat(r.scores.local().transpose()));
  out.add("dual", dual_of(r.solution.a, y));
  return out;
}

// y: classes, from 1; problem: as for fit_linear(). solve(problem, start, draws, run).
template <class Store>
Rcpp::List fit_joint(
    border::FitCall& call, const Rcpp::List& problem, const Store& rows, const RowVec& codes,
    const RowVec& omega, const ClassLossPtr& loss,
    FunctionRef<JointSolution(const JointProblem&, const JointSolution&, Sampler&, Run&)> solve) {
  Vec lambda = border::vec(problem["lambda"]);
  const Vec mixture = border::vec(problem["mixture"]);
  const bool brief = call.problem.flag("brief"), relative = call.problem.flag("relative");
  const Index classes = call.classes();
  std::vector<Index> label(codes.size());
  for (Index i = 0; i < codes.size(); ++i) label[i] = static_cast<Index>(codes[i]) - 1;
  const border::Frame frame{rows, call.penalized(), call.free()};
  const std::vector<JointSolution> starts{joint_start(call, frame, label, classes)};
  border::Snapshots<JointPrimal, JointDual> seen(
      call.checkpoint, 1, [&](int, const JointPrimal& s, const JointDual& d, border::Fields& out) {
        leave(s, frame, out);
        out.add("dual", dual_of(d.a, label));
      });

  Rcpp::List solutions;
  using border::with_rows;
  with_rows(rows, call.constant(), codes, omega, call.team, [&](const auto& all) {
    const auto problem_at = [&](double strength, double share) {
      return JointProblem(all, label, loss, ElasticNet::from(strength, share), call.free(),
                          seen.of(0));
    };
    Run setup = call.quiet_run();
    PathScale scale;
    if (relative) scale.add(problem_at(1, 0), setup);
    for (Index i = 0; relative && i < lambda.size(); ++i)
      lambda[i] *= scale.first_lambda(mixture[i]);
    solutions = border::run_path(
        call, call.alone, starts, lambda.size(),
        [&](int, Index i, Tick&, const auto& f) { f(problem_at(lambda[i], mixture[i])); },
        [&](const auto& p, int, Index i, const JointSolution& before, Sampler& draws, Run& run) {
          const bool first = i == 0 || mixture[i] != mixture[i - 1];
          const bool null = first && relative && mixture[i] > 0;
          const JointSolution& start = first ? starts[0] : before;
          return report(p, solve(p, null ? null_model(p, run.tick()) : start, draws, run), run);
        },
        [&](const JointReport& r, int) { return answer(r, label, frame, brief); });
  });
  return Rcpp::List::create(Rcpp::Named("scales") = rows.scales(),
                            Rcpp::Named("origin") = rows.centre(), Rcpp::Named("lambda") = lambda,
                            Rcpp::Named("solutions") = solutions);
}

}  // namespace dualmargin::linear
