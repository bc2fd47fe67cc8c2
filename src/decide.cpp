// Glue of margin_certain() and of what rests on it, for rows in memory and in a file.
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

// The rows of a fit, for what solves its problems further.
class Trained {
 public:
  Trained(const Rcpp::List& given, const border::FitCall& call)
      : call_(call),
        view_(border::view(given["x"])),
        frame_(border::row_frame(given["frame"])),
        stored_(view_, frame_),
        data_(stored_.storage(frame_)),
        columns_(view_, stored_.centre(), stored_.scales()) {}

  const Storage& data() const { return *data_; }
  const RowFrame& frame() const { return frame_; }

  decide::Solved solved(const Question& ask, const Problem& problem, int k, const Place& place) {
    if (ask.family == Family::robust) return robust_further(ask, problem, k, place, call_);
    if (ask.family == Family::hard) return hard_further(problem, place, call_);
    return decide::solved_further(
        problem, place.w, place.b, ask.column("dual", k), place.origin,
        linear::refits_of(call_, [this, &problem] { return columns_.view(problem.rows.bias()); }));
  }

 private:
  const border::FitCall& call_;
  const MatrixView view_;
  const RowFrame frame_;
  const RowStore stored_;
  const std::unique_ptr<Storage> data_;
  ColumnStore columns_;
};

}  // namespace

// frame: scales, centre (NULL: none), `move` (TRUE: the centre is the weighted mean of the
// columns), constant, before; threads, chunk_entries. problem: family, loss and its parameter,
// free, y and w with a column for each class problem, omega, b of the rows as they come, and what
// the family has: penalised l1, mu, dual; robust norm, radius, cost, ridge, dual, flip, value, gap;
// hard dual, gap, bound; limited w without an intercept, has (is there one?), level, strength (mu),
// limit. ends: are intervals of the rows wanted? sharper: of open ones sharper?
// [[Rcpp::export(rng = false)]]
Rcpp::List certain_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& problem, bool ends,
                       bool sharper) {
  Tick tick = border::patient();
  FrameTeam team(frame);
  const Question ask(problem);
  const MatrixView view = border::view(x);
  const RowFrame at = border::row_frame(frame, [&] { return weighted_means(view, ask.omega); });
  const RowStore stored(view, at);
  return certain_of(*stored.storage(at), at, ask, team, ends, sharper, tick);
}

// Of other rows, in the frame of the regions. again: NULL, or the rows of the fit for those whose class
// is open: x, frame and problem as certain_cpp() has them, and further, see Further.
// [[Rcpp::export(rng = false)]]
Rcpp::List certain_rows_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& regions,
                            SEXP again) {
  Tick tick = border::patient();
  FrameTeam team(frame);
  const auto look = [&](const decide::AskedRows& rows, std::vector<Ends>& ends) {
    if (Rf_isNull(again)) return;
    const Rcpp::List given(again);
    const border::Further further(border::list_at(given, "further"));
    if (decide::unsettled_rows(ends, further.regression).empty()) return;
    Trained fit(given, further.call);
    const auto solved_of = [&](const auto& ask, const auto& problem, int k, const Place& place) {
      return fit.solved(ask, problem, k, place);
    };
    look_further(fit.data(), fit.frame(), given, further, regions, rows, ends, solved_of, team,
                 tick);
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
  const RowFrame at = border::row_frame(frame, [&] { return weighted_means(view, omega.local()); });
  const RowStore stored(view, at);
  return certain_of_joint(*stored.storage(at), at, problem, omega, team, tick);
}

// Of other rows, in the frame of the region. again: as certain_rows_cpp() has it.
// [[Rcpp::export(rng = false)]]
Rcpp::List certain_joint_rows_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& joint,
                                  SEXP again) {
  Tick tick = border::patient();
  FrameTeam team(frame);
  const auto look = [&](const AskJoint& asked, JointEnds& ends) {
    if (Rf_isNull(again) || !ends.open()) return;
    const Rcpp::List given(again);
    const RowFrame at = border::row_frame(given["frame"]);
    const RowStore stored(border::view(given["x"]), at);
    joint_further(*stored.storage(at), at, given, asked, ends, team, tick);
  };
  return certain_of_other_joint(x, frame, joint, team, look, tick);
}

namespace {

// f(store, frame) of all rows of a file; means of columns by their weights.
template <class F>
Rcpp::List with_file(const Rcpp::List& rows, const Rcpp::List& frame, const Vec& omega, F f) {
  return border::or_fault([&] {
    const border::RowsOfFile file(rows);
    if (file.chosen() != nullptr) throw std::invalid_argument("some rows of a file");
    const RowFrame at = border::row_frame(frame, [&] { return file.means(omega); });
    const DiskSource source = file.source(at);
    return f(*at.moved(source.storage(at.constant)), at);
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
  return with_file(rows, frame, ask.omega, [&](const Storage& data, const RowFrame& at) {
    return certain_of(data, at, ask, team, true, false, tick);
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
    return decide::solved_further(problem, place.w, place.b, ask.column("dual", k), place.origin,
                                  linear::refits_of(further.call, {}));
  };
  return with_file(
      again["rows"], again["frame"], Vec(), [&](const Storage& data, const RowFrame& at) {
        const auto look = [&](const decide::AskedRows& rows, std::vector<Ends>& ends) {
          look_further(data, at, again, further, regions, rows, ends, solved_of, team, tick);
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
  return with_file(rows, frame, omega.local(), [&](const Storage& data, const RowFrame& at) {
    return certain_of_joint(data, at, problem, omega, team, tick);
  });
}

// As certain_joint_rows_cpp() and certain_rows_file_cpp().
// [[Rcpp::export(rng = false)]]
Rcpp::List certain_joint_rows_file_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& joint,
                                       const Rcpp::List& again) {
  Tick tick = border::patient();
  FrameTeam team(frame);
  return with_file(again["rows"], again["frame"], Vec(),
                   [&](const Storage& data, const RowFrame& at) {
                     const auto look = [&](const AskJoint& asked, JointEnds& ends) {
                       joint_further(data, at, again, asked, ends, team, tick);
                     };
                     return certain_of_other_joint(x, frame, joint, team, look, tick);
                   });
}
