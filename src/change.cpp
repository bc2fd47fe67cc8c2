// Glue of margin_sensitivity(), and what its counts share with it: the rows of a fit and those
// that come are stored once, and other weights and labels make changed problems of them.
#include "border/change.h"

#include <memory>
#include <vector>

#include "border/kernel_rows.h"
#include "border/refit.h"
#include "rows/column_scale.h"
#include "rows/row_store.h"

using namespace dualmargin;
using namespace dualmargin::decide;

namespace {

Rcpp::List columns_change(const border::FittedRows& of, const Rcpp::List& change, SEXP asked,
                          border::ColumnQuestion question) {
  Tick tick = border::patient();
  const Rcpp::List& problem = of.problem;
  border::FitCall call(of.refit, of.control);
  const MatrixView view = border::view(of.x);
  const RowVec old_omega = border::followed_by_nothing(border::vec_at(problem, "omega"), view.n);
  const RowFrame at =
      border::row_frame(of.frame, [&] { return weighted_means(view, old_omega.local()); });
  const RowStore stored(view, at);
  const Vec offsets = at.offsets();
  border::assert_problem(problem, Rf_xlength(problem["omega"]), offsets.size());
  const Mat old_y = border::mat_at(problem, "y"), w = border::mat_at(problem, "w"),
            dual = border::mat_at(problem, "dual"), y = border::mat_at(change, "y");
  const Vec b = border::vec_at(problem, "b");
  const bool free = border::number_at(problem, "free") != 0;
  const ElasticNet g{border::number_at(problem, "l1"), border::number_at(problem, "mu")};
  const LossPtr phi = border::loss_of(problem);
  const RowVec omega(border::vec_at(change, "omega"));
  const AskedRows rows(border::view(asked), at, call.team);
  const std::unique_ptr<Storage> data = stored.storage(at);
  std::vector<std::unique_ptr<Workspace>> workspaces;
  std::vector<ColumnClass> classes;
  for (Index k = 0; k < y.cols(); ++k) {
    RowVec own(Vec(y.col(k)));
    workspaces.push_back(
        k == 0 ? std::make_unique<Workspace>(*data, std::move(own), omega, phi, free, call.team)
               : std::make_unique<Workspace>(*workspaces[0], std::move(own)));
    const Vec v = w.col(k);
    classes.push_back({*workspaces.back(),
                       g,
                       {v, free ? b[k] + offsets.dot(v) : 0.0, RowVec(Vec(dual.col(k))),
                        RowVec(Vec(old_y.col(k)))}});
  }
  ColumnStore columns(view, stored.centre(), stored.scales());
  const ColumnProblems problems(
      classes, old_omega, border::rule(change), rows,
      linear::refits_of(call, [&] { return columns.view(data->bias()); }));
  const Change all(problems, border::number_at(change, "regression") != 0);
  return question(all, problems, rows, tick);
}

Rcpp::List functions_change(const border::FittedRows& fit, const Rcpp::List& change, SEXP asked,
                            border::FunctionQuestion question) {
  Tick tick = border::patient();
  const Rcpp::List& problem = fit.problem;
  border::KernelRows of(fit.x, fit.frame, problem, fit.refit, fit.control, tick);
  Team& team = of.call.team;
  const Index n = of.size.scale.size();
  border::assert_problem(problem, Rf_xlength(problem["omega"]), 0);
  const Mat old_y = border::mat_at(problem, "y"), dual = border::mat_at(problem, "dual"),
            y = border::mat_at(change, "y");
  const RowVec omega = border::followed_by_nothing(border::vec_at(problem, "omega"), n);
  std::vector<FunctionProblems::Class> classes;
  for (Index k = 0; k < y.cols(); ++k) {
    classes.push_back({RowVec(Vec(y.col(k))), RowVec(Vec(old_y.col(k))), RowVec(Vec(dual.col(k)))});
  }
  const region::Samples samples(classes[0].y, omega, team);
  const region::FunctionRows rows(samples, of.gram, of.sizes());
  return of.formula.arguments(asked, team, [&](const kernel::Arguments& both) {
    const Index count = both.n() - n;
    const region::FunctionSizes sizes(of.formula.size(both), of.formula.constant);
    const auto columns = [&](Index begin, Index some, double* out) {
      std::vector<kernel::Mixture> at;
      for (Index i = begin; i < begin + some; ++i) at.push_back({i, i, 0});
      both.columns(at.data(), some, count, out);
      of.formula.function.apply(out, some * n);
      for (Index k = 0; k < some * n; ++k) out[k] += of.formula.constant;
    };
    const AskedFunctions known(sizes.part(0, count), sizes.part(count, n), columns,
                               of.formula.bytes, team, tick);
    const FunctionProblems problems(
        std::move(classes), rows, border::loss_of(problem), border::number_at(problem, "mu"),
        border::number_at(problem, "free") != 0, border::rule(change), known, of.refits(), tick);
    const Change all(problems, border::number_at(problem, "regression") != 0);
    return question(all, problems, known, tick);
  });
}

}  // namespace

Rcpp::List border::with_change(const FittedRows& of, const Rcpp::List& change, SEXP asked,
                               ColumnQuestion of_columns, FunctionQuestion of_kernel) {
  return of.geometry == "kernel" ? functions_change(of, change, asked, of_kernel)
                                 : columns_change(of, change, asked, of_columns);
}

// fitted: border/decide.h; below the rows of the fit are those that come. change: of all rows y with a
// column for each class problem and omega, after the change; sets of rows that leave beside it, each
// by itself; rule; refits, how many of the sets may be solved; regression. asked: the rows to predict,
// and of a kernel below them those of x. Of each set the ends, with a column for each class problem,
// and whether it was solved.
// [[Rcpp::export(rng = false)]]
Rcpp::List change_cpp(const Rcpp::List& fitted, const Rcpp::List& change, SEXP asked) {
  const border::FittedRows of(fitted);
  if (of.geometry == "classes") return border::change_of_classes(of, change, asked);
  const auto answers = [&](const Change& all, const auto&, const auto&, Tick& tick) {
    return border::as_list(border::answers(all, change, tick));
  };
  return border::with_change(of, change, asked, answers, answers);
}
