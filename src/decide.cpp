// Glue of margin_certain() and of what rests on it, for rows in memory.
#include "border/certain_joint.h"

using namespace dualmargin;
using namespace dualmargin::region;

// frame: scales, centre (NULL: none), `move` (TRUE: the centre is the weighted mean of the
// columns), constant, before; threads, chunk_entries. problem: family, loss and its parameter,
// free, y and w with a column for each class problem, omega, b of the rows as they come, and what
// the family has: penalised l1, mu, dual; robust norm,
// radius, cost, ridge, dual, flip, value, gap; hard dual, gap, bound; bound: the regions. ends: are
// intervals of the rows wanted? sharpen: of open ones sharper?
// [[Rcpp::export(rng = false)]]
Rcpp::List certain_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& problem, bool ends,
                       bool sharper) {
  Tick tick = border::patient();
  FrameTeam team(frame);
  const Question ask(problem);
  const MatrixView view = border::view(x);
  const Frame at = moved_frame(frame, [&] { return weighted_means(view, ask.omega); });
  return certain_of(StoredRows(view, at), at, ask, team, ends, sharper, tick);
}

// Of other rows, in the frame of the regions. again: x, frame and problem of certain_cpp() for a
// second look at rows whose class is open, or NULL.
// [[Rcpp::export(rng = false)]]
Rcpp::List certain_rows_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& regions,
                            SEXP again) {
  Tick tick = border::patient();
  FrameTeam team(frame);
  const auto look = [&](const auto& f) {
    if (Rf_isNull(again)) return;
    const Rcpp::List given(again);
    f(StoredRows(border::view(given["x"]), border::row_frame(given["frame"])),
      Rcpp::List(given["problem"]));
  };
  return certain_of_others(x, frame, regions, team, look, tick);
}

// One problem of all classes. problem: softmax, free, lambda, y (the class of each row, from 1),
// omega, w with a column for each class, b of the rows as they come, dual.
// [[Rcpp::export(rng = false)]]
Rcpp::List certain_joint_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& problem) {
  Tick tick = border::patient();
  FrameTeam team(frame);
  const MatrixView view = border::view(x);
  const RowVec omega(border::vec_at(problem, "omega"));
  const Frame at = moved_frame(frame, [&] { return weighted_means(view, omega.local()); });
  return certain_of_joint(StoredRows(view, at), at, problem, omega, team, tick);
}

// Of other rows, in the frame of the region.
// [[Rcpp::export(rng = false)]]
Rcpp::List certain_joint_rows_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& joint) {
  Tick tick = border::patient();
  FrameTeam team(frame);
  const MatrixView view = border::view(x);
  const StoredRows stored(view, border::row_frame(frame));
  const RowVec none = RowVec::Zero(view.n);
  return stored.visit([&](const auto& data) {
    const Rows asked(data, none, none, team);
    return as_list(intervals(as_joint(joint), MovedRows(asked, stored), tick));
  });
}
