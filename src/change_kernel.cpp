// Glue of margin_sensitivity() and margin_flips() of kernel fits, as change.cpp is of linear ones.
#include <memory>
#include <vector>

#include "border/flips.h"
#include "border/kernel_rows.h"
#include "decide/change_functions.h"
#include "decide/flip_functions.h"

using namespace dualmargin;
using namespace dualmargin::decide;

namespace {

// f(change, problems, asked, tick) of the rows of a kernel fit and those that come, see
// change_kernel_cpp().
template <class F>
auto with_change(SEXP x, const Rcpp::List& kernel, const Rcpp::List& problem,
                 const Rcpp::List& change, SEXP asked, const Rcpp::List& refit,
                 const Rcpp::List& control, F f) {
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
    return f(all, problems, known, tick);
  });
}

}  // namespace

// x: the rows of the fit as the kernel sees them, and after them those that come. kernel and problem
// as certain_kernel_cpp() has them, of the rows of the fit, and whether it is a regression. change,
// refit, control and the answer as those of change_cpp(). asked: the rows to predict, and below them
// those of x.
// [[Rcpp::export(rng = false)]]
Rcpp::List change_kernel_cpp(SEXP x, const Rcpp::List& kernel, const Rcpp::List& problem,
                             const Rcpp::List& change, SEXP asked, const Rcpp::List& refit,
                             const Rcpp::List& control) {
  const auto answers = [&](const Change& all, const auto&, const auto&, Tick& tick) {
    return border::answers(all, change, tick);
  };
  return border::as_list(with_change(x, kernel, problem, change, asked, refit, control, answers));
}

// change: as flips_cpp() has it; the rest as change_kernel_cpp().
// [[Rcpp::export(rng = false)]]
Rcpp::List flips_kernel_cpp(SEXP x, const Rcpp::List& kernel, const Rcpp::List& problem,
                            const Rcpp::List& change, SEXP asked, const Rcpp::List& refit,
                            const Rcpp::List& control) {
  const auto count = [&](const Change& all, const FunctionProblems& problems,
                         const AskedFunctions& rows, Tick& tick) {
    const FunctionProblem known = problems.fitted();
    const ClassFit<Function>& one = problems.fit(0);
    const FunctionPair pair = region::pair_of(known, Function(), one.b, one.a, tick);
    const region::BallIn<Function> ball = region::ball_of(known, pair);
    const region::FunctionEllipsoid ellipsoid = region::ellipsoid_of(known, pair, tick);
    const FittedFunction fit{known, pair, ball, ellipsoid, Rule::cost};
    const RowChanges changes = row_changes(known, pair, border::vec_at(change, "turned"));
    const region::FunctionRows& asked_rows = rows.rows();
    const RowVec own(Vec(asked_rows.values({&pair.w}, tick)[0].array() + pair.b));
    return border::flips(all, problems, changes, flip_bounds(fit, changes, rows, tick),
                         {own, asked_rows.roundings(pair.w, pair.b)}, change, tick);
  };
  return border::as_list(with_change(x, kernel, problem, change, asked, refit, control, count));
}
