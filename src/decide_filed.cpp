// Glue of margin_certain() for rows in a file.
#include "border/certain_joint.h"
#include "border/disk_rows.h"
#include "border/refit.h"
#include "border/refit_joint.h"
#include "region/filed_rows.h"

using namespace dualmargin;
using namespace dualmargin::region;

namespace {

// f(store, frame) of all rows of a file; means of columns by their weights.
template <class F>
Rcpp::List with_file(const Rcpp::List& rows, const Rcpp::List& frame, const Vec& omega, F f) {
  return border::or_fault([&] {
    const border::RowsOfFile file(rows);
    if (file.chosen() != nullptr) throw std::invalid_argument("some rows of a file");
    const Frame at = moved_frame(frame, [&] { return weighted_means(file, omega); });
    return f(FiledRows(file, at), at);
  });
}

}  // namespace

// As certain_cpp(), without a second look at open rows. rows: list(path, checksum, at = NULL).
// [[Rcpp::export(rng = false)]]
Rcpp::List certain_file_cpp(const Rcpp::List& rows, const Rcpp::List& frame,
                            const Rcpp::List& problem) {
  Tick tick = border::patient();
  FrameTeam team(frame);
  const Question ask(problem);
  return with_file(rows, frame, ask.omega, [&](const auto& stored, const Frame& at) {
    return certain_of(stored, at, ask, team, true, false, tick);
  });
}

// As certain_rows_cpp(): the rows of the fit, for the second look, are in a file. again: rows in the
// place of x.
// [[Rcpp::export(rng = false)]]
Rcpp::List certain_rows_file_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& regions,
                                 const Rcpp::List& again) {
  Tick tick = border::patient();
  FrameTeam team(frame);
  const border::Further further(border::list_at(again, "further"));
  const auto solved_of = [&](const Question& ask, const auto& problem, int k, const Place& place) {
    const auto refit = [&further](const linear::LinearProblem& p, const linear::Solution& start,
                                  double tol, Tick& t) {
      return linear::solved_to(further.call, p, start, tol, t);
    };
    return decide::solved_further(problem, place.w, place.b, ask.column("dual", k), place.origin,
                                  refit, {});
  };
  return with_file(again["rows"], again["frame"], Vec(), [&](const auto& stored, const Frame& at) {
    const auto look = [&](const decide::AskedRows& rows, std::vector<Ends>& ends) {
      look_further(stored, at, again, further, regions, rows, ends, solved_of, team, tick);
    };
    return certain_of_others(x, frame, regions, team, look, tick);
  });
}

// As certain_joint_cpp().
// [[Rcpp::export(rng = false)]]
Rcpp::List certain_joint_file_cpp(const Rcpp::List& rows, const Rcpp::List& frame,
                                  const Rcpp::List& problem) {
  Tick tick = border::patient();
  FrameTeam team(frame);
  const RowVec omega(border::vec_at(problem, "omega"));
  return with_file(rows, frame, omega.local(), [&](const auto& stored, const Frame& at) {
    return certain_of_joint(stored, at, problem, omega, team, tick);
  });
}

// As certain_joint_rows_cpp() and certain_rows_file_cpp().
// [[Rcpp::export(rng = false)]]
Rcpp::List certain_joint_rows_file_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& joint,
                                       const Rcpp::List& again) {
  Tick tick = border::patient();
  FrameTeam team(frame);
  return with_file(again["rows"], again["frame"], Vec(), [&](const auto& stored, const Frame& at) {
    const auto look = [&](const AskJoint& asked, JointEnds& ends) {
      joint_further(stored, at, again, asked, ends, team, tick);
    };
    return certain_of_other_joint(x, frame, joint, team, look, tick);
  });
}
