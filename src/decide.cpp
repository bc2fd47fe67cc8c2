// Glue of margin_certain() and of what rests on it, for rows in memory and in a file.
#include <functional>
#include <memory>
#include <vector>

#include "border/certain.h"
#include "border/certain_joint.h"
#include "border/disk_rows.h"
#include "border/refit.h"
#include "border/refit_hard.h"
#include "border/refit_joint.h"
#include "border/refit_robust.h"
#include "region/of_hard.h"
#include "rows/disk_store.h"
#include "rows/row_store.h"

using namespace dualmargin;
using namespace dualmargin::region;

namespace {

decide::Solved robust_further(const Question& ask, const Problem& problem, int k,
                              const Place& place, const border::FitCall& call) {
  const RobustSet set = ask.robust();
  const Vec& shift = problem.rows.shift;  // the solver's rows are not moved
  robust::Solution start;
  start.w = place.w;
  start.b = place.b - shift.dot(place.w);
  start.t = set.norm.norm(place.w);
  start.alpha = ask.column("dual", k);
  start.beta = ask.column("flip", k);
  const robust::Settings settings{set.norm, set.radius, set.cost, set.ridge, ask.free};
  return [&problem, &shift, &call, set, settings, origin = place.origin, at = std::move(start)](
             double tol, Tick& tick) mutable {
    const robust::Report r =
        robust::solved_to(call, problem.rows.unmoved(), settings, at, tol, tick);
    at = r.solution;
    const double b = problem.free() ? at.b + shift.dot(at.w) : 0.0;
    const RobustPair pair{at.w, b, at.alpha, at.beta, r.certificate.value, r.certificate.gap};
    RobustRegion found = region_of(problem, set, pair, origin, tick);
    return Known{std::move(found.region), std::move(found.rule)};
  };
}

decide::Solved hard_further(const Problem& problem, const Place& place,
                            const border::FitCall& call) {
  return [&problem, &call, origin = place.origin](double tol, Tick& tick) {
    const hard::Report r = hard::solved_to(call, problem.rows.unmoved(), problem.free(), tol, tick);
    RowVec q = RowVec::Zero(problem.n());
    for (Index i = 0, used = 0; i < problem.n(); ++i) {
      if (problem.omega(i) > 0) q[i] = r.solution.q[used++];
    }
    const Vec& w = r.solution.w;
    const double b = problem.free() ? r.solution.b + problem.rows.shift.dot(w) : 0.0;
    return Known{
        hard_region(problem, w, b, q, r.certificate.gap, r.certificate.bound, origin, tick),
        middle_rule(problem.rows)};
  };
}

// f(data, frame, columns) of the rows of a fit: a matrix, or list(path, checksum, at = NULL) of all rows of
// a file. omega: by which means of columns are taken. columns: of rows in memory alone.
template <class F>
auto with_rows(SEXP rows, const Rcpp::List& frame, const Vec& omega, F f) {
  if (TYPEOF(rows) == VECSXP) {
    const border::RowsOfFile file((Rcpp::List(rows)));
    if (file.chosen() != nullptr) throw std::invalid_argument("some rows of a file");
    const RowFrame at = border::row_frame(frame, [&] { return file.means(omega); });
    const DiskSource source = file.source(at);
    return f(*at.moved(source.storage(at.constant)), at, std::function<Columns()>());
  }
  const MatrixView view = border::view(rows);
  const RowFrame at = border::row_frame(frame, [&] { return weighted_means(view, omega); });
  const RowStore stored(view, at);
  const std::unique_ptr<Storage> data = stored.storage(at);
  ColumnStore columns(view, stored.centre(), stored.scales());
  return f(*data, at, std::function<Columns()>([&] { return columns.view(data->bias()); }));
}

}  // namespace

// frame: scales, centre (NULL: none), `move` (TRUE: the centre is the weighted mean of the
// columns), constant, before; threads, chunk_entries. problem: family, loss and its parameter,
// free, y and w with a column for each class problem, omega, b of the rows as they come, and what
// the family has: penalised l1, mu, dual; robust norm, radius, cost, ridge, dual, flip, value, gap;
// hard dual, gap, bound; limited w without an intercept, has (is there one?), level, strength (mu),
// limit. sharper: of rows whose class is open sharper intervals?
// Of one problem of all classes: softmax, free, lambda, mixture, y (the class of each row, from 1), omega, w
// with a column for each class, b of the rows as they come, dual. rows: see with_rows().
// [[Rcpp::export(rng = false)]]
Rcpp::List certain_cpp(SEXP rows, const Rcpp::List& frame, const Rcpp::List& problem,
                       bool sharper) {
  Tick tick = border::patient();
  FrameTeam team(frame);
  const Vec omega = border::vec_at(problem, "omega");
  return border::or_fault([&] {
    return with_rows(rows, frame, omega, [&](const Storage& data, const RowFrame& at, const auto&) {
      if (border::has(problem, "softmax")) {
        return certain_of_joint(data, at, problem, RowVec(omega), team, tick);
      }
      return certain_of(data, at, Question(problem), team, sharper, tick);
    });
  });
}

// Of other rows, in the frame of what is known: `problems`, or `joint`. again: NULL, or the rows of the
// fit for those whose class is open: rows, frame and problem as certain_cpp() has them, and further, see
// Further.
// [[Rcpp::export(rng = false)]]
Rcpp::List certain_rows_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& known, SEXP again) {
  Tick tick = border::patient();
  FrameTeam team(frame);
  const auto with_fit = [&](auto f) {
    const Rcpp::List given(again);
    with_rows(given["rows"], given["frame"], Vec(),
              [&](const auto&... rows) { f(given, rows...); });
  };
  if (border::has(known, "joint")) {
    const auto look = [&](const AskJoint& asked, JointEnds& ends) {
      if (Rf_isNull(again) || !ends.open()) return;
      with_fit([&](const Rcpp::List& given, const Storage& data, const RowFrame& at, const auto&) {
        joint_further(data, at, given, asked, ends, team, tick);
      });
    };
    return border::or_fault(
        [&] { return certain_of_other_joint(x, frame, known["joint"], team, look, tick); });
  }
  const Rcpp::List regions = known["problems"];
  const auto look = [&](const decide::AskedRows& rows, std::vector<Ends>& ends) {
    if (Rf_isNull(again)) return;
    const border::Further further(border::list_at(Rcpp::List(again), "further"));
    if (decide::unsettled_rows(ends, further.regression).empty()) return;
    with_fit([&](const Rcpp::List& given, const Storage& data, const RowFrame& at,
                 const std::function<Columns()>& columns) {
      const auto solved_of = [&](const Question& ask, const Problem& problem, int k,
                                 const Place& place) {
        if (ask.family == Family::robust) {
          return robust_further(ask, problem, k, place, further.call);
        }
        if (ask.family == Family::hard) return hard_further(problem, place, further.call);
        return decide::solved_further(problem, place.w, place.b, ask.column("dual", k),
                                      place.origin, linear::refits_of(further.call, columns));
      };
      look_further(data, at, given, further, regions, rows, ends, solved_of, team, tick);
    });
  };
  return border::or_fault([&] { return certain_of_others(x, frame, regions, team, look, tick); });
}
