// Glue of margin_sensitivity() of kernel fits, and what margin_flips() shares with it, as change.cpp is
// of linear ones.
#include <memory>
#include <vector>

#include "border/change_functions.h"
#include "border/kernel_rows.h"

using namespace dualmargin;
using namespace dualmargin::decide;

Rcpp::List border::with_change(SEXP x, const Rcpp::List& kernel, const Rcpp::List& problem,
                               const Rcpp::List& change, SEXP asked, const Rcpp::List& refit,
                               const Rcpp::List& control, const FunctionQuestion& question) {
  Tick tick = border::patient();
  border::KernelRows of(x, kernel, problem, refit, control, tick);
  Team& team = of.call.team;
  const Index n = of.size.scale.size();
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
    const FunctionProblems problems(std::move(classes), rows,
                                    border::calculus(Rcpp::as<std::string>(problem["loss"]),
                                                     border::number_at(problem, "parameter")),
                                    border::number_at(problem, "mu"),
                                    border::number_at(problem, "free") != 0, border::rule(change),
                                    known, of.refits(), tick);
    const Change all(problems, border::number_at(problem, "regression") != 0);
    return question(all, problems, known, tick);
  });
}

// x: the rows of the fit as the kernel sees them, and after them those that come. kernel and problem
// as certain_kernel_cpp() has them, of the rows of the fit, and whether it is a regression. change,
// refit, control and the answer as those of change_cpp(). asked: the rows to predict, and below them
// those of x.
// [[Rcpp::export(rng = false)]]
Rcpp::List change_kernel_cpp(SEXP x, const Rcpp::List& kernel, const Rcpp::List& problem,
                             const Rcpp::List& change, SEXP asked, const Rcpp::List& refit,
                             const Rcpp::List& control) {
  const auto answers = [&](const Change& all, const auto&, const auto&, Tick& tick) {
    return border::as_list(border::answers(all, change, tick));
  };
  return border::with_change(x, kernel, problem, change, asked, refit, control,
                             border::FunctionQuestion(answers));
}
