// What a call of any family asks for, and the loop over class problems and points of a path. R is
// read before the loop and lists are made after it: in it R is asked for nothing but whether the
// user wants to stop, and for what only it can compute.
#pragma once

#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/mix64.h"
#include "base/team.h"
#include "border/border.h"
#include "border/checkpoint.h"
#include "border/mpi_ranks.h"
#include "border/names.h"
#include "border/progress.h"
#include "rows/row_vec.h"
#include "run/sampler.h"

namespace dualmargin::border {

enum class Intercept { free, penalized, none };

// What every family is asked for.
struct FitCall {
  Options problem, option;  // option: of the solver
  Intercept intercept;
  std::string solver;
  Run::Limits limits;
  std::uint64_t seed;
  bool progress;
  WarmStart start;
  std::unique_ptr<Ranks> ranks;  // null: all rows are here
  Team team, alone;              // alone: for what R computes, and what ranks do in turn
  Checkpoint checkpoint;

  FitCall(const Rcpp::List& problem_, const Rcpp::List& control);

  bool free() const { return intercept == Intercept::free; }
  bool penalized() const { return intercept == Intercept::penalized; }
  // the bias coordinate of the rows
  double constant() const { return penalized() ? 1.0 : 0.0; }
  // Are there rows on other ranks, too?
  bool shared() const { return ranks != nullptr; }
  // Class problems go side by side in its threads; of several ranks, which must ask for the same
  // sums in the same order, one after the other.
  Team& team_of_classes() { return shared() ? alone : team; }
  int classes() const { return static_cast<int>(problem.number("n_classes")); }
  // Class problem 0 draws with the seed itself; the others' streams are those of no seed near it.
  std::uint64_t seed_of(Index k) const {
    return k == 0 ? seed : mix64(mix64(seed) + golden64 * static_cast<std::uint64_t>(k));
  }
  // Of set-up, which is finished however late it is, as long as the user does not ask to stop.
  Tick setup() const {
    return Tick(Rcpp::checkUserInterrupt, limits.watch, limits.max_seconds, limits.agreement);
  }
  Run quiet_run() const {
    return Run(limits, 1, Rcpp::checkUserInterrupt, [](double, double) {});
  }

 private:
  FitCall(const Rcpp::List& problem_, const Rcpp::List& control, const Options& knobs);
};

// What the scale of each column is multiplied by; empty: nothing.
inline Vec column_factor(const Rcpp::List& problem) {
  return Rf_isNull(problem["factor"]) ? Vec() : vec(problem["factor"]);
}

// +1 for class k, -1 for the rest; with one class problem the labels are its own.
inline RowVec target(const RowVec& labels, int classes, int k) {
  if (classes == 1) return labels;
  return each(labels, [k](double code) { return code == k + 1 ? 1.0 : -1.0; });
}

// The points of a path in each class problem, visited in their order; each starts from the one
// before, the first from starts[k]. Class problems are solved side by side, each in one thread, so
// many at a time as `team` has threads, which takes as many times the working memory of one; a last
// one that would be alone has all threads.
//   problem_at(k, i, tick, f)                f(problem)
//   solve(problem, k, i, start, draws, run)  the report
//   answer_of(report, k)                     what goes out
template <class Solution, class ProblemAt, class Solve, class AnswerOf>
Rcpp::List run_path(FitCall& call, Team& team, const std::vector<Solution>& starts, Index points,
                    ProblemAt problem_at, Solve solve, AnswerOf answer_of) {
  const int classes = static_cast<int>(starts.size());
  std::vector<std::vector<Answer>> answers(classes);
  Progress progress(call.progress, static_cast<double>(classes * points), call.limits.tol);
  const std::thread::id main = std::this_thread::get_id();
  const auto solve_class = [&](Index k, Tick& tick) {
    const bool shows = std::this_thread::get_id() == main;
    Run::Limits limits = call.limits;
    if (k > 0) limits.restart();
    Sampler draws(call.seed_of(k));
    Solution start = starts[k];
    for (Index i = 0; i < points; ++i, progress.next_part(), limits.restart()) {
      const auto stop = [&] { tick.ask(); };
      Tick setup(stop, limits.watch, limits.max_seconds, limits.agreement);
      problem_at(k, i, setup, [&](const auto& problem) {
        Run run(limits, problem.null_value(), stop, [&](double, double relative_gap) {
          if (shows) progress.show(relative_gap);
        });
        auto report = solve(problem, k, i, start, draws, run);
        answers[k].push_back(answer_of(report, k));
        start = std::move(report.solution);
      });
    }
  };
  const auto ask = [&] {
    Rcpp::checkUserInterrupt();
    call.checkpoint.look();
  };
  Tick tick(ask, call.limits.watch, HUGE_VAL);
  const int together = classes - (classes % team.threads() == 1);
  call.checkpoint.guard([&] {
    team.for_chunks(together, solve_class, tick);
    if (together < classes) solve_class(together, tick);
  });
  bool finished = true;
  for (const auto& own : answers) {
    for (const Answer& a : own) finished = finished && a.status == Status::certified;
  }
  if (!finished) call.checkpoint.save();
  Rcpp::List paths(classes);
  for (int k = 0; k < classes; ++k) {
    Rcpp::List path(points);
    for (Index i = 0; i < points; ++i) path[i] = as_list(answers[k][i]);
    paths[k] = path;
  }
  return paths;
}

}  // namespace dualmargin::border
