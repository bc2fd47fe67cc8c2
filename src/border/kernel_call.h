// What a call of the kernel family asks for, and how its answer is made: shared by the fits on a
// kernel matrix and those on features in its place.
#pragma once

#include <string>
#include <utility>

#include "border/dispatch_kernel.h"
#include "border/kernel.h"
#include "border/kernel_store.h"

namespace dualmargin::kernel {

// problem$lambda: the points, visited in their order, each started from the one before; with
// `relative` in units of the first one of a path.
struct KernelCall {
  border::Options ask, knobs, option;
  SEXP start;
  Vec omega, lambda;
  std::string intercept, solver;
  bool brief;
  Index originals;
  MixedRows mixed;
  Run::Limits limits;
  AnyLoss loss;
  Team team;

  KernelCall(const Rcpp::NumericVector& weights, const Rcpp::List& problem,
             const Rcpp::List& control)
      : ask(problem),
        knobs(control),
        option(control["options"]),
        start(control["start"]),
        omega(border::vec(weights)),
        lambda(border::vec(problem["lambda"])),
        intercept(ask.text("intercept")),
        solver(knobs.text("solver")),
        brief(ask.flag("brief")),
        originals(static_cast<Index>(ask.number("n"))),
        mixed(mixed_rows(problem["mixed"], originals)),
        limits{knobs.number("tol"), knobs.number("max_epochs"), knobs.number("max_seconds"),
               knobs.flag("certify_every_epoch")},
        loss(any_loss(ask.text("loss"), ask.number("parameter"), ask.flag("regression"))),
        team(border::team(knobs)) {}

  bool free() const { return intercept == "free"; }
  double constant() const { return intercept == "penalized" ? 1.0 : 0.0; }
  Sampler sampler(int k) const {
    return Sampler(static_cast<std::uint64_t>(knobs.number("seed")) + k);
  }
  OwnRows own_rows() const {
    return {omega.head(originals), ask.flag("scale"), free(), ask.flag("center")};
  }
  Run plain_run() const {
    return Run(limits, 1, Rcpp::checkUserInterrupt, [](double, double) {});
  }
  border::Progress progress(int classes) const {
    return border::Progress(knobs.flag("progress"), static_cast<double>(classes * lambda.size()),
                            limits.tol);
  }
  // f(lambda): the problem; lambda so far in units of the first one of a path.
  template <class Problem>
  void scale_path(Problem problem) {
    if (ask.flag("relative")) lambda *= first_lambda(problem(1));
  }

  // Class problem k: problem(lambda), solve(problem, start, sampler, run) and the start of the
  // first point. finish(result): what is left to do before a result goes out.
  template <class Problem, class Solve, class Start, class Finish>
  Rcpp::List path(int k, Problem problem, Solve solve, Start from, border::Progress& progress,
                  Finish finish) {
    Sampler draws = sampler(k);
    Rcpp::List points(lambda.size());
    for (Index i = 0; i < lambda.size(); ++i, progress.next_part()) {
      const auto p = problem(lambda[i]);
      Run run(limits, p.null_value(), Rcpp::checkUserInterrupt,
              [&](double, double relative_gap) { progress.show(relative_gap); });
      auto result = report(p, solve(p, from, draws, run), run);
      finish(result);
      points[i] = as_list(result, originals, brief);
      from = std::move(result.solution);
      limits.restart();
    }
    return points;
  }

  // A class problem for each column of the targets: problem(target, lambda). A free intercept takes
  // up what a response is away from 0.
  template <class Solution, class Problem, class Solve>
  Rcpp::List columns(const Mat& targets, const RowsOfKernel& rows, Problem problem, Solve solve) {
    const bool moves = free() && ask.flag("regression");
    const int classes = static_cast<int>(targets.cols());
    Rcpp::List paths(classes);
    border::Progress bar = progress(classes);
    for (int k = 0; k < classes; ++k) {
      Vec target = targets.col(k);
      const double level = moves ? level_of(target) : 0.0;
      target.array() -= level;
      const auto finish = [&](auto& result) {
        result.level = level;
        result.intercept += level - rows.shift(result.beta);
      };
      Solution from = kernel_start<Solution>(start, k);
      // a penalised intercept is the constant of the kernel, which the dual point carries
      from.b = free() && from.a.size() > 0 && !rows.moved ? from.b - level : 0.0;
      const auto at = [&](double strength) { return problem(target, strength); };
      if (k == 0) scale_path(at);
      paths[k] = path(k, at, solve, std::move(from), bar, finish);
    }
    return paths;
  }

  static double level_of(const Vec& y) {
    return exact_centres(y.size(), 1, [&](auto f) {
      for (Index i = 0; i < y.size(); ++i) f(Index{0}, y[i]);
    })[0];
  }

  Rcpp::List answer(const Rcpp::List& paths, const RowsOfKernel& rows, double bytes) const {
    Rcpp::List list =
        Rcpp::List::create(Rcpp::Named("scales") = rows.scales, Rcpp::Named("lambda") = lambda,
                           Rcpp::Named("sigma") = rows.sigma, Rcpp::Named("bytes") = bytes,
                           Rcpp::Named("solutions") = paths);
    if (rows.centre.size() > 0) list["center"] = rows.centre;
    return list;
  }
};

}  // namespace dualmargin::kernel
