// What a call of the hard family asks for, and how its answer is made: shared by the fits on
// columns and those on a kernel.
#pragma once

#include <utility>

#include "border/call.h"
#include "border/dispatch_hard.h"
#include "border/indefinite.h"
#include "hard/report.h"
#include "rows/rows.h"

namespace dualmargin::hard {

struct HardCall : border::FitCall {
  RowVec labels, omega;

  HardCall(const Rcpp::NumericVector& y, const Rcpp::NumericVector& weights,
           const Rcpp::List& given, const Rcpp::List& control)
      : border::FitCall(given, control), labels(border::vec(y)), omega(border::vec(weights)) {}

  // The rows of a margin problem made of `data`. of_values: the rounding of a kernel's.
  ExampleRows rows(const Storage& data, double of_values = 0, double allowance = 0,
                   bool given = false) {
    return ExampleRows({data, labels, omega, team}, classes(), of_values, allowance, given);
  }

  double cache_bytes() const { return 1e6 * option.number("cache_mb"); }
  // working: what the solver is given; exact: what its answer is judged by; held: how much of the
  // cache they take.
  Report solve(const MarginRows& working, const MarginRows& exact, double held) const {
    border::Progress bar(progress, 1, limits.tol);
    // a margin that is nearly zero decides whether there is one: no yardstick
    Run run(limits, 0, Rcpp::checkUserInterrupt,
            [&](double, double relative_gap) { bar.show(relative_gap); });
    Sampler sampler(seed);
    const HardMargin problem(working, free());
    if (!std::isfinite(exact.largest_norm())) return broken(exact);
    Solution s =
        solve_hard(solver, problem, option, std::max(0.0, cache_bytes() - held), sampler, run);
    Report r = report(HardMargin(exact, free()), std::move(s), run);
    if (problem.negative()) r.negative = problem.negative();
    r.negative.value *= exact.largest_norm() * exact.largest_norm();
    return r;
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
  double length() const { return classes() > 1 ? std::sqrt(0.5) : 1.0; }

  // coef: of columns or of rows; b: a value for each class; near: the same for moved rows.
  Rcpp::List answer(const Report& r, const Mat& coef, const Vec& b, const Vec& near) const {
    // one column becomes a vector
    const auto columns = [](const Mat& m) -> border::Answer::Value {
      if (m.cols() > 1) return m;
      return Vec(m.col(0));
    };
    border::Answer out(r, r.solution.solver, false);
    border::add_square(out, r.negative);
    out.add("residual", r.residual);
    out.add("dual", r.solution.q);
    out.add("intercept", b);
    out.add("near", near);
    out.add("coefficients", columns(coef));
    out.add("scores", columns((length() * r.scores).array() + r.solution.b));
    Rcpp::List list = border::as_list(out);
    list["separable"] = Rcpp::LogicalVector::create(
        r.separable == Separable::undecided ? NA_LOGICAL : r.separable == Separable::yes);
    return Rcpp::List::create(list);
  }
};

}  // namespace dualmargin::hard
