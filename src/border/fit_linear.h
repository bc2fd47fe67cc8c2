// A fit, or a path of fits, of the linear family, wherever its rows lie.
#pragma once

#include <algorithm>

#include "border/class_rows.h"
#include "border/linear.h"
#include "border/stored_rows.h"
#include "linear/path_scale.h"
#include "linear/residual_scale.h"
#include "rows/column_scale.h"

namespace dualmargin::linear {

// Of the scaled columns, from `l1_factor`, `lower` and `upper` of the user's, a number a column or
// NULL; a penalised intercept has none.
inline ColumnTerms column_terms(const Rcpp::List& problem, const Vec& scales, bool penalized) {
  const auto read = [&](const char* name, bool scaled, double none) {
    if (Rf_isNull(problem[name])) return Vec();
    const Vec given = border::vec(problem[name]);
    Vec all = Vec::Constant(given.size() + penalized, none);
    all.head(given.size()) = scaled ? given.cwiseProduct(scales) : given;
    return all;
  };
  ColumnTerms terms{read("l1_factor", false, 1), read("lower", true, -HUGE_VAL),
                    read("upper", true, HUGE_VAL)};
  for (Index j = 0; j < terms.factor.size(); ++j) {
    if (terms.factor[j] == 0) terms.free.push_back(j);
  }
  return terms;
}

// store: scales(), centre() and visit(bias, f), as a RowStore. columns(tick): x by features, for
// the solvers that ask. solve(problem, start, draws, run); `second_order`: does it reach an optimum to
// many digits?
//
// problem: lambda and mixture, as long as one another, are the points, visited in their order; with
// `relative` lambda is given in units of the lambda at which a path starts, where an l1 part has
// the null model for its solution. A point starts from the one before if that has its mixture.
// offset: a number a row, or NULL; of losses of labels, those of numbers have it taken from them.
// l1_factor: 0 for a column without a penalty. Where these have no best coefficients the answer is
// why, and no solution: `dependent`, the places of those that the others say, or `separate`, classes
// that they tell apart.
template <class Store>
Rcpp::List fit_linear(
    border::FitCall& call, const Rcpp::List& problem, const Store& rows, RowVec labels,
    const RowVec& omega, FunctionRef<Columns(Tick&)> columns, bool second_order,
    FunctionRef<Solution(const LinearProblem&, const Solution&, Sampler&, Run&)> solve) {
  Vec lambda = border::vec(problem["lambda"]);
  const Vec mixture = border::vec(problem["mixture"]);
  const bool brief = call.problem.flag("brief"), relative = call.problem.flag("relative");
  const bool residual = call.problem.flag("residual");
  const int classes = call.classes();
  border::Frame frame{rows, call.penalized(), call.free()};
  const auto loss_at = [&](double scale) {
    return loss_by_name(call.problem.text("loss"), scale * call.problem.number("parameter"));
  };
  if (call.free() && classes == 1 && loss_at(1)->of_residual()) {
    frame.level = spread_of_values(labels.local(), omega.local(), call.team).centre();
    labels -= frame.level;
  }
  const std::vector<Solution> starts = starting_points(call.start, classes, frame, omega.size());
  // where the loss has the unit of the residuals a dual point is one of that unit alone
  border::Snapshots<Primal, Dual> seen(
      call.checkpoint, classes, [&](int, const Primal& s, const Dual& d, border::Fields& out) {
        frame.leave(s.w, s.b, out);
        if (!residual) out.add("dual", d.a);
      });

  Rcpp::List solutions;
  std::vector<Index> dependent;
  bool separate = false;
  using border::with_rows;
  const ColumnTerms terms = column_terms(problem, rows.scales(), call.penalized());
  RowVec offset;
  if (!Rf_isNull(problem["offset"])) offset = RowVec(border::vec(problem["offset"]));
  with_rows(rows, call.constant(), labels, omega, call.team, [&](auto all) {
    if (!offset.empty()) all.offset = &offset;
    const border::ClassRows each(all, classes);
    const auto problem_at = [&](double scale, int k, const ElasticNet& penalty, Tick& tick,
                                FunctionRef<void(const LinearProblem&)> f) {
      ElasticNet g = penalty;
      if (terms.any()) g.columns = &terms;
      LinearProblem one(each[k], loss_at(scale), g, call.free());
      one.columns = [&] { return columns(tick); };
      one.seen = seen.of(k);
      if (residual && one.seen != nullptr) one.seen->renew();
      f(one);
    };
    Run run = call.quiet_run();
    for (int k = 0; k < classes && !terms.free.empty(); ++k) {
      problem_at(1, k, ElasticNet(), run, [&](const auto& p) {
        if (k == 0) dependent = p.free_columns().dependent(run);
        const bool asks = dependent.empty() && call.problem.text("loss") == "logistic";
        separate = separate || (asks && !p.free_columns().has_best(run));
      });
    }
    if (separate || !dependent.empty()) return;
    const double spread = residual ? spread_of(all, call.free()) : 1;
    const auto null_unit = [&] {
      if (!residual) return 1.0;
      const auto at = [&](double s, FunctionRef<void(const LinearProblem&)> f) {
        problem_at(s, 0, ElasticNet(), run, f);
      };
      const double s = null_scale(at, spread);
      return s > 0 ? s : spread;
    };
    const double unit_of_null = relative ? null_unit() : 1;
    if (relative) {
      PathScale scale;
      for (int k = 0; k < classes; ++k) {
        problem_at(unit_of_null, k, ElasticNet(), run, [&](const auto& p) { scale.add(p, run); });
      }
      for (Index i = 0; i < lambda.size(); ++i) lambda[i] *= scale.first_lambda(mixture[i]);
    }
    const auto own_unit = [&](const Solution& start, const ElasticNet& penalty, Sampler& draws,
                              Run& run) {
      double first = spread;
      const auto at = [&](double s, FunctionRef<void(const LinearProblem&)> f) {
        problem_at(s, 0, penalty, run, f);
      };
      if (start.w.size() > 0) {
        at(spread, [&](const auto& p) {
          const double s = scale_of(p.rows, p.scored(start, run).z);
          if (s > 0) first = s;
        });
      }
      // a second order costs a few steps more to 1e-9; beyond 1e-13 a gap is rounding
      constexpr double cheap = 1e-9, least = 1e-13;
      const double tol = call.limits.tol, tight = second_order ? std::min(tol, cheap) : tol;
      ScaleLimits limits{call.limits, tight, std::max(second_order ? least : 0, 1e-3 * tight)};
      limits.run.watch = run.watch();
      const auto solve_at = [&](const LinearProblem& p, const Solution& from, Run& round) {
        return solve(p, from, draws, round);
      };
      return fit_at_scale(at, solve_at, start, first, limits, run);
    };
    solutions = border::run_path(
        call, call.team_of_classes(), starts, lambda.size(),
        [&](int k, Index i, Tick& tick, const auto& f) {
          problem_at(residual ? spread : 1, k, ElasticNet::from(lambda[i], mixture[i]), tick, f);
        },
        [&](const auto& p, int k, Index i, const Solution& before, Sampler& draws, Run& run) {
          const bool first = i == 0 || mixture[i] != mixture[i - 1];
          Solution start = first ? starts[k] : before;
          if (first && relative && mixture[i] > 0) {
            problem_at(unit_of_null, k, p.penalty, run,
                       [&](const auto& q) { start = null_model(q, run); });
          }
          if (residual) return own_unit(start, p.penalty, draws, run);
          return report(p, solve(p, start, draws, run), run);
        },
        [&](const Report& r, int) { return answer(r, frame, brief); });
  });
  if (separate || !dependent.empty()) {
    Rcpp::IntegerVector places(dependent.begin(), dependent.end());
    for (int& place : places) ++place;
    return Rcpp::List::create(Rcpp::Named("dependent") = places,
                              Rcpp::Named("separate") = separate);
  }
  return Rcpp::List::create(Rcpp::Named("scales") = rows.scales(),
                            Rcpp::Named("origin") = rows.centre(), Rcpp::Named("lambda") = lambda,
                            Rcpp::Named("solutions") = solutions);
}

}  // namespace dualmargin::linear
