// What a call of the kernel family asks for, and how its answer is made: shared by the fits on a
// kernel matrix and those on features in its place.
#pragma once

#include <vector>

#include "border/call.h"
#include "border/dispatch_kernel.h"
#include "border/dispatch_loss.h"
#include "border/kernel_store.h"
#include "kernel/kernel_problem.h"
#include "kernel/nystrom.h"
#include "rows/column_scale.h"

namespace dualmargin::kernel {

// What goes out with the points of a path: how the rows were seen, and the memory for their kernel.
inline Rcpp::List answer_on(const RowsOfKernel& rows, const Rcpp::List& paths, double bytes) {
  Rcpp::List list =
      Rcpp::List::create(Rcpp::Named("scales") = rows.scales, Rcpp::Named("sigma") = rows.sigma,
                         Rcpp::Named("bytes") = bytes, Rcpp::Named("solutions") = paths);
  if (rows.centre.size() > 0) list["center"] = rows.centre;
  if (rows.origin.size() > 0) list["origin"] = rows.origin;
  return list;
}

// Where a path starts. As for the linear family's ridge: (1/(gamma W)) sum_i omega_i k(x_i, x_i), a
// bound on the curvature of the mean loss, where every direction is shrunk to half or less.
template <class Problem>
double first_lambda(const Problem& p) {
  return p.space.mean_square() / p.losses.gamma();
}

// problem$lambda: the points, visited in their order, each started from the one before; with
// `relative` in units of the first one of a path.
struct KernelCall : border::FitCall {
  RowVec omega;
  Vec lambda;
  bool brief, regression;
  MixedRows mixed;
  LossPtr loss;

  KernelCall(const Rcpp::NumericVector& weights, const Rcpp::List& given, const Rcpp::List& control)
      : border::FitCall(given, control),
        omega(border::vec(weights)),
        lambda(border::vec(given["lambda"])),
        brief(problem.flag("brief")),
        regression(problem.flag("regression")),
        mixed(mixed_rows(given["mixed"], static_cast<Index>(problem.number("n")))),
        loss(any_loss(problem.text("loss"), problem.number("parameter"), regression)) {}

  OwnRows own_rows() const {
    return {omega.local().head(mixed.originals), problem.flag("scale"), free(),
            problem.flag("center")};
  }

  // classes: the threads that class problems are solved by, side by side; problem_at(k, lambda, f):
  // f(problem) of class problem k. lambda so far in units of the first one
  // of a path, by class problem 0. finish(report, k): what is left to do before it goes out.
  template <class Start, class ProblemAt, class Solve, class Finish>
  Rcpp::List path(Team& classes, const std::vector<Start>& starts, ProblemAt problem_at,
                  Solve solve, Finish finish) {
    if (problem.flag("relative")) {
      double first = 0;
      problem_at(0, 1, [&](const auto& p) { first = first_lambda(p); });
      lambda *= first;
    }
    return border::run_path(
        *this, classes, starts, lambda.size(),
        [&](int k, Index i, Tick&, const auto& f) { problem_at(k, lambda[i], f); },
        [&](const auto& p, int, Index, const Start& start, Sampler& draws, Run& run) {
          return report(p, solve(p, start, draws, run), run);
        },
        [&](auto& r, int k) {
          finish(r, k);
          return answer_of(r);
        });
  }

  // The response of a class problem, less its level: what it is away from 0 is taken up by a free
  // intercept.
  struct Target {
    RowVec y;
    double level = 0;
  };
  // Of the columns of a matrix.
  std::vector<Target> targets(const Mat& given) {
    std::vector<Target> all(given.cols());
    for (Index k = 0; k < given.cols(); ++k) {
      all[k].y = RowVec(given.col(k));
      if (!free() || !regression) continue;
      all[k].level = level_of(all[k].y.local(), team);
      all[k].y -= all[k].level;
    }
    return all;
  }

  // What goes out of a run that goes on: as starts come in.
  static void leave(double b, double level, const Vec& a, border::Fields& out) {
    out.add("intercept", b + level);
    out.add("dual", a);
  }

  // A class problem for each of them: problem_at(k, lambda, f).
  template <class Solution, class ProblemAt, class Solve>
  Rcpp::List columns(Team& side_by_side, const std::vector<Target>& targets,
                     const RowsOfKernel& rows, ProblemAt problem_at, Solve solve) {
    std::vector<Solution> starts(targets.size());
    for (int k = 0; k < static_cast<int>(targets.size()); ++k) {
      if (!start.has("dual", k)) continue;
      starts[k].a = decltype(starts[k].a)(start.column("dual", k, targets[k].y.size()));
      // a penalised intercept is the constant of the kernel, which the dual point carries
      if (free() && !rows.moved) starts[k].b = start.number("intercept", k) - targets[k].level;
    }
    return path(side_by_side, starts, problem_at, solve, [&](auto& r, int k) {
      r.level = targets[k].level;
      r.near = r.intercept + targets[k].level;
      r.intercept = r.near - rows.shift(r.beta);
    });
  }

  Rcpp::List answer(const Rcpp::List& paths, const RowsOfKernel& rows, double bytes) const {
    Rcpp::List list = answer_on(rows, paths, bytes);
    list["lambda"] = lambda;
    return list;
  }

 private:
  static double level_of(const Vec& y, Team& team) {
    return exact_centres(MatrixView::of(y), team)[0];
  }

  // The scores of the user's own rows; for a point of a path nothing of length n but the
  // coefficients of the expansion.
  border::Answer answer_of(const KernelReport& r) const {
    border::Answer out = answer_of(r, r.solution.f, r.solution.b + r.level);
    border::add_square(out, r.negative);
    return out;
  }
  border::Answer answer_of(const NystromReport& r) const {
    border::Answer out = answer_of(r, r.scores.local(), r.level);
    out.add("landmarks", static_cast<double>(r.landmarks));
    return out;
  }
  template <class AnyReport>
  border::Answer answer_of(const AnyReport& r, const Vec& scores, double added) const {
    border::Answer out(r, r.solution.solver, brief);
    out.add("intercept", r.intercept);
    out.add("near", r.near);
    out.add_coefficients(r.beta);
    if (brief) return out;
    out.add("scores", Vec(scores.head(mixed.originals).array() + added));
    out.add("dual", r.solution.a);
    return out;
  }
  // One class problem whose columns are the classes.
  border::Answer answer_of(const SoftmaxReport& r) const {
    border::Answer out(r, r.solution.solver, brief);
    border::add_square(out, r.negative);
    out.add("intercept", r.intercept);
    out.add("near", r.near);
    out.add("coefficients", r.beta);
    if (brief) return out;
    out.add("scores", raised(r.solution.f.topRows(mixed.originals), r.solution.b));
    out.add("dual", r.dual);
    return out;
  }
};

// Rounding in R leaves duals that are off the simplex by as much. free: with its intercepts
inline SoftmaxSolution softmax_start(const border::WarmStart& start, const Mat& share, bool free) {
  SoftmaxSolution s;
  if (!start.has("dual")) return s;
  s.a = (start.all("dual", share.rows(), share.cols()) + share).cwiseMax(0);
  s.a.array().colwise() /= s.a.rowwise().sum().eval().array();
  if (!free) return s;
  s.b.resize(share.cols());
  for (int c = 0; c < static_cast<int>(s.b.size()); ++c) s.b[c] = start.number("intercept", c);
  return s;
}

// Shares of the classes from targets in [-1, 1], rows on the simplex.
inline Mat class_shares(const Mat& targets) {
  Mat share = (0.5 * (1 + targets.array())).cwiseMax(0).matrix();
  share.array().colwise() /= share.rowwise().sum().eval().array();
  return share;
}

}  // namespace dualmargin::kernel
