// What a call of the hard family asks for, and how its answer is made: shared by the fits on
// columns and those on a kernel.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "border/border.h"
#include "border/dispatch_hard.h"
#include "hard/report.h"
#include "rows/rows.h"

namespace dualmargin::hard {

struct HardCall {
  border::Options ask, knobs, option;
  Vec labels, omega;
  std::string intercept, solver;
  int classes;
  Team team;
  Run::Limits limits;

  HardCall(const Rcpp::NumericVector& y, const Rcpp::NumericVector& weights,
           const Rcpp::List& problem, const Rcpp::List& control)
      : ask(problem),
        knobs(control),
        option(control["options"]),
        labels(border::vec(y)),
        omega(border::vec(weights)),
        intercept(ask.text("intercept")),
        solver(knobs.text("solver")),
        classes(static_cast<int>(ask.number("n_classes"))),
        team(border::team(knobs)),
        limits{knobs.number("tol"), knobs.number("max_epochs"), knobs.number("max_seconds"),
               knobs.flag("certify_every_epoch")} {}

  bool free() const { return intercept == "free"; }
  bool penalized() const { return intercept == "penalized"; }
  double constant() const { return penalized() ? 1.0 : 0.0; }

  // The rows of a margin problem made of `data`. of_values: the rounding of a kernel's.
  template <class Data>
  ExampleRows<Data> rows(const Data& data, double of_values = 0) {
    return ExampleRows<Data>({data, labels, omega, team}, classes, of_values);
  }

  double cache_bytes() const { return 1e6 * option.number("cache_mb"); }
  // working: what the solver is given; exact: what its answer is judged by; held: how much of the
  // cache they take.
  Report solve(const MarginRows& working, const MarginRows& exact, double held) const {
    border::Progress progress(knobs.flag("progress"), 1, limits.tol);
    // a margin that is nearly zero decides whether there is one: no yardstick
    Run run(limits, 0, Rcpp::checkUserInterrupt,
            [&](double, double relative_gap) { progress.show(relative_gap); });
    Sampler sampler(static_cast<std::uint64_t>(knobs.number("seed")));
    const HardMargin problem(working, free());
    if (!std::isfinite(exact.largest_norm())) return broken(exact);
    Solution s = solve_hard(solver, problem, option, std::max(0.0, cache_bytes() - held),
                            limits.max_epochs, sampler, run);
    return report(HardMargin(exact, free()), std::move(s), run);
  }

  // Rows whose length is no number: the status is that of an outcome that was never reached.
  static Report broken(const MarginRows& rows) {
    Report r;
    r.solution.w = Vec::Zero(rows.dim());
    r.solution.c = r.solution.q = Vec::Zero(rows.size());
    r.scores = rows.coefficients(r.solution.c);
    return r;
  }

  // For k classes scores are in the unit of the margin at length 1 / sqrt(2).
  double length() const { return classes > 1 ? std::sqrt(0.5) : 1.0; }

  // coef: of columns or of rows; b: a value for each class.
  Rcpp::List answer(const Report& r, const Mat& coef, const Vec& b) const {
    // one column becomes a vector
    const auto columns = [](const Mat& m) -> SEXP {
      if (m.cols() > 1) return Rcpp::wrap(m);
      return Rcpp::wrap(Vec(m.col(0)));
    };
    Rcpp::List list = border::as_list(r, r.solution.solver, false);
    list["separable"] = Rcpp::LogicalVector::create(
        r.separable == Separable::undecided ? NA_LOGICAL : r.separable == Separable::yes);
    list["residual"] = r.residual;
    list["dual"] = r.solution.q;
    list["intercept"] = b;
    list["coefficients"] = columns(coef);
    list["scores"] = columns((length() * r.scores).array() + r.solution.b);
    return Rcpp::List::create(list);
  }
};

}  // namespace dualmargin::hard
