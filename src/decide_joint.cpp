// Glue of margin_loo() and margin_sensitivity() for one problem of all classes.
#include <memory>

#include "border/change.h"
#include "border/joint.h"
#include "border/removal.h"
#include "decide/joint_change.h"
#include "decide/joint_left_out.h"

using namespace dualmargin;
using namespace dualmargin::decide;

namespace {

// Rows to predict.
struct OtherRows {
  const std::unique_ptr<Storage> data;
  const RowVec none;
  const Rows rows;
  const region::MovedRows moved;

  OtherRows(const region::StoredRows& stored, Team& team)
      : data(stored.storage()),
        none(RowVec::Zero(stored.n())),
        rows(*data, none, none, team),
        moved(rows, stored) {}
};
class AskedOthers final : private OtherRows, public AskedJointIn {
 public:
  AskedOthers(const region::StoredRows& stored, std::vector<Index> reference, Index classes,
              Team& team)
      : OtherRows(stored, team), AskedJointIn(OtherRows::moved, std::move(reference), classes) {}
};

// frame and problem as certain_joint_cpp() has them, with the rule, of the first rows of x; y: the
// classes of rows that come after them, and of all others. f(fit, frame, team, tick)
template <class F>
auto with_joint_fit(SEXP x, const Rcpp::List& frame, const Rcpp::List& problem, SEXP y,
                    const Rcpp::List& refit, const Rcpp::List& control, F f) {
  Tick tick = border::patient();
  const MatrixView view = border::view(x);
  const Vec omega = border::vec_at(problem, "omega");
  const RowVec all = border::followed_by_nothing(omega, view.n);
  region::Frame at = border::row_frame(frame);
  if (border::number_at(frame, "move") != 0) at.centre = region::weighted_means(view, all.local());
  const region::StoredRows stored(view, at);
  border::FitCall call(refit, control);
  JointGiven given = border::joint_given(problem, border::offsets(at, stored.shift().size()));
  const std::vector<Index> added = border::rows_of(y);
  for (Index i = omega.size(); i < view.n; ++i) given.problem.own.push_back(added[i]);
  given.omega = all;
  Mat dual = Mat::Zero(view.n, given.dual.cols());
  dual.topRows(omega.size()) = given.dual;
  given.dual = std::move(dual);
  return stored.visit([&](const auto& data) {
    const JointFit fit(data, stored, std::move(given), border::joint_refit(call), call.team, tick);
    return f(fit, at, tick);
  });
}

}  // namespace

// x: the rows of the fit, and after them those that come; frame and problem as certain_joint_cpp() has
// them, of the rows of the fit, with the rule. change: of all rows y (classes, from 1) and omega,
// after the change; sets of rows that leave beside it, each by itself; refits, how many of them may
// be solved; reference, a class of each row to predict. asked: these rows. Of each set the ends, with
// a column for each class, as differences to the reference, and whether it was solved.
// [[Rcpp::export(rng = false)]]
Rcpp::List change_joint_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& problem,
                            const Rcpp::List& change, SEXP asked, const Rcpp::List& refit,
                            const Rcpp::List& control) {
  JointChange all{border::rows_of(change["y"]),
                  RowVec(border::vec_at(change, "omega")),
                  {},
                  border::number_at(change, "refits")};
  for (const SEXP set : Rcpp::List(change["sets"])) all.sets.push_back(border::rows_of(set));
  const std::vector<Index> reference = border::rows_of(change["reference"]);
  const std::vector<Answer> answers =
      with_joint_fit(x, frame, problem, change["y"], refit, control,
                     [&](const auto& fit, const region::Frame& at, Tick& tick) {
                       const region::StoredRows stored(border::view(asked), at);
                       const AskedOthers others(stored, reference, fit.classes(), fit.rows.team);
                       return answers_of(fit, all, others, tick);
                     });
  return border::as_list(answers);
}

// frame and problem as certain_joint_cpp() has them, with the rule; refit, control: of the refits.
// asked: sets of rows that leave together, precision, weight of each row's loss. ends: of each class
// as differences to the class of the row.
// [[Rcpp::export(rng = false)]]
Rcpp::List removal_joint_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& problem,
                             const Rcpp::List& refit, const Rcpp::List& control,
                             const Rcpp::List& asked) {
  JointRemovals removals{
      {}, border::number_at(asked, "precision"), RowVec(border::vec_at(asked, "weight"))};
  for (const SEXP set : Rcpp::List(asked["sets"])) removals.sets.push_back(border::rows_of(set));
  const auto answer = [&](const auto& fit, const region::Frame&, Tick& tick) {
    const JointLeftOut found(fit, removals, tick);
    return border::as_list(found, found.ends, true, true);
  };
  return with_joint_fit(x, frame, problem, problem["y"], refit, control, answer);
}
