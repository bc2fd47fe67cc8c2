// Glue of margin_loo(), margin_sensitivity() and margin_cv(prove = TRUE) for one problem of all classes.
#include <deque>
#include <memory>
#include <utility>

#include "border/call.h"
#include "border/change.h"
#include "border/decide.h"
#include "border/refit_joint.h"
#include "border/removal.h"
#include "border/search.h"
#include "decide/asked_rows.h"
#include "decide/joint_change.h"
#include "decide/joint_fit.h"
#include "decide/joint_fold.h"
#include "decide/joint_removal.h"
#include "rows/column_scale.h"
#include "rows/row_store.h"

using namespace dualmargin;
using namespace dualmargin::decide;

namespace dualmargin::border {
namespace {

// problem: softmax, free, lambda, mixture, y (the class of each row, from 1), omega, w with a column for
// each class, b of the rows as they come, dual; offsets: of the rows' origin.
decide::JointGiven joint_given(const Rcpp::List& problem, decide::Rule rule, const Vec& offsets) {
  decide::JointGiven given{
      {number_at(problem, "softmax") != 0,
       number_at(problem, "free") != 0,
       ElasticNet::from(number_at(problem, "lambda"), number_at(problem, "mixture")),
       {}},
      rule,
      RowVec(vec_at(problem, "omega")),
      mat_at(problem, "w"),
      Vec(),
      mat_at(problem, "dual")};
  for (const int y : Rcpp::IntegerVector(problem["y"])) given.problem.own.push_back(y - 1);
  given.b = Vec::Zero(given.w.cols());
  if (given.problem.free) given.b = vec_at(problem, "b") + given.w.transpose() * offsets;
  return given;
}

decide::JointRefit joint_refit(const FitCall& call) {
  return [&call](const decide::JointRefitOf& what, const linear::JointSolution& start, double tol,
                 Tick& tick) { return linear::joint_solved_to(call, what, start, tol, tick); };
}

}  // namespace
}  // namespace dualmargin::border

namespace {

// Rows to predict.
class AskedOthers final : private AskedRows, public AskedJointIn {
 public:
  AskedOthers(SEXP x, const RowFrame& at, std::vector<Index> reference, Index classes, Team& team)
      : AskedRows(border::view(x), at, team),
        AskedJointIn(AskedRows::rows(), std::move(reference), classes) {}
};

// of: of the first rows of its x; y: the classes of rows that come after them, and of all others.
// f(fit, frame, tick)
Rcpp::List with_joint_fit(const border::FittedRows& of, const Rcpp::List& asked, SEXP y,
                          FunctionRef<Rcpp::List(const JointFit&, const RowFrame&, Tick&)> f) {
  Tick tick = border::patient();
  const MatrixView view = border::view(of.x);
  const Vec omega = border::vec_at(of.problem, "omega");
  const RowVec all = border::followed_by_nothing(omega, view.n);
  const RowFrame at =
      border::row_frame(of.frame, [&] { return weighted_means(view, all.local()); });
  const RowStore stored(view, at);
  border::assert_problem(of.problem, omega.size(), at.offsets().size());
  border::FitCall call(of.refit, of.control);
  JointGiven given = border::joint_given(of.problem, border::rule(asked), at.offsets());
  const std::vector<Index> added = border::rows_of(y);
  for (Index i = omega.size(); i < view.n; ++i) given.problem.own.push_back(added[i]);
  given.omega = all;
  Mat dual = Mat::Zero(view.n, given.dual.cols());
  dual.topRows(omega.size()) = given.dual;
  given.dual = std::move(dual);
  const std::unique_ptr<Storage> data = stored.storage(at);
  const JointFit fit(*data, std::move(given), border::joint_refit(call), call.team, tick);
  return f(fit, at, tick);
}

}  // namespace

// change: y are classes, from 1, and reference one of each row to predict; ends are differences to it.
Rcpp::List border::change_of_classes(const FittedRows& of, const Rcpp::List& change, SEXP asked) {
  JointChange all{rows_of(change["y"]), RowVec(vec_at(change, "omega")), sets_of(change),
                  number_at(change, "refits")};
  const std::vector<Index> reference = rows_of(change["reference"]);
  return with_joint_fit(
      of, change, change["y"], [&](const JointFit& fit, const RowFrame& at, Tick& tick) {
        const AskedOthers others(asked, at, reference, fit.classes(), fit.rows.team);
        return as_list(answers_of(fit, all, others, tick));
      });
}

// ends: of each class as differences to the class of the row.
Rcpp::List border::removal_of_classes(const FittedRows& of, const Rcpp::List& asked) {
  using Kind = LeftOutLosses::Kind;
  const bool asks = Rcpp::as<std::string>(asked["losses"]) != "none";
  const LeftOutLosses losses(asks ? Kind::softmax : Kind::none, rows_of(of.problem["y"]),
                             vec_at(asked, "weight"));
  const auto answer = [&](const JointFit& fit, const RowFrame&, Tick& tick) {
    LeftOut::Problems problems;
    problems.push_back(removal_of(fit));
    return border::left_out(problems, losses, asked, tick);
  };
  return with_joint_fit(of, asked, of.problem["y"], answer);
}

Rcpp::List border::search_of_classes(FitCall& call, const MatrixView& view,
                                     const std::vector<Index>& own, const RowVec& counted,
                                     const Rcpp::List& folds, const decide::SearchLimits& limits,
                                     Tick& tick) {
  const bool scale = call.problem.flag("scale");
  const Origin origin = call.free() ? Origin::free : Origin::fixed;
  std::deque<RowStore> stored;
  std::vector<std::unique_ptr<Storage>> data;
  std::vector<RowVec> omega;
  std::vector<std::vector<Index>> test;
  for (R_xlen_t k = 0; k < folds.size(); ++k) {
    const Rcpp::List fold = folds[k];
    omega.emplace_back(border::vec(fold["omega"]));
    test.push_back(border::rows_of(fold["test"]));
    const RowStore rows(view, omega.back().local(), scale, origin, call.team, Reading::in_passes);
    RowFrame frame{rows.scales(), Vec(), call.constant()};
    if (call.free()) frame.centre = weighted_means(view, omega.back().local());
    stored.emplace_back(view, frame);
    data.push_back(stored.back().storage(frame));
  }
  std::deque<decide::JointFold> along;
  for (std::size_t k = 0; k < stored.size(); ++k) {
    along.emplace_back(*data[k], own, call.classes(), omega[k], test[k], counted, call.free(),
                       border::joint_refit(call), call.team);
  }
  const auto fit = [&](Index k, double lambda, const linear::JointSolution& start, Tick& t) {
    return along[k].fit(lambda, start, call.limits.tol, t);
  };
  return border::as_list(decide::PenaltySearch(along, fit, call.team, tick).run(limits));
}
