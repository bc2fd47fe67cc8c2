// For the tests: what each of the four lemmas (vignettes/proofs.Rmd) says by itself of the optimum of
// a problem, seen from any pair of points. What users ask meets them all.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "border/decide.h"
#include "decide/altered.h"
#include "kernel/kernel_store.h"
#include "probes/probe.h"
#include "region/secant.h"
#include "rows/row_store.h"

namespace dualmargin::region {

// Tilts of the rows: squares |x_i - c|^2, along e'(x_i - c), own |e|^2, off by `lost` of its terms.
inline void add_tilts(Rcpp::List& out, const TiltSums& tilt, const RowVec& squares,
                      const RowVec& along, double own, double lost) {
  Vec up(squares.size()), down(squares.size());
  for (Index i = 0; i < squares.size(); ++i) {
    const Reach reach = tilt_reach(tilt, squares[i], along[i], own, lost);
    up[i] = reach.up;
    down[i] = reach.down;
  }
  out["up"] = up;
  out["down"] = down;
}

template <class Vector, class AnyEllipsoid>
Rcpp::List as_lemmas(const RowTerms& pair, const BallIn<Vector>& ball, const Vec& centre,
                     const AnyEllipsoid& e, const std::vector<Interval>& scores) {
  Vec low(static_cast<Index>(scores.size())), high(low.size());
  for (Index i = 0; i < low.size(); ++i) {
    low[i] = scores[i].low;
    high[i] = scores[i].high;
  }
  Rcpp::List out =
      Rcpp::List::create(Rcpp::Named("b") = pair.b, Rcpp::Named("centre") = centre,
                         Rcpp::Named("radius") = ball.radius, Rcpp::Named("gap") = ball.gap,
                         Rcpp::Named("low") = low, Rcpp::Named("high") = high);
  if (e.usable()) {
    out["curved"] = e.radius;
    out["norms"] = e.norms.local();
  }
  return out;
}

// problem: loss, parameter, mu, l1, free; x: columns, or a kernel's values with `kernel` TRUE, where w
// are coefficients. low, high: of the optimal scores by L1 and L3; up, down: by L4.
inline Rcpp::List probe_lemmas(SEXP x, Rcpp::NumericVector y, Rcpp::NumericVector weights,
                               Rcpp::List given, Rcpp::NumericVector w, double b,
                               Rcpp::NumericVector a) {
  const border::Options ask(given);
  const RowVec labels(border::vec(y)), omega(border::vec(weights)), dual(border::vec(a));
  const LossPtr phi = loss_by_name(ask.text("loss"), ask.number("parameter"));
  const ElasticNet g{ask.number("l1"), ask.number("mu")};
  const bool free = ask.flag("free");
  Run run = probes::quiet_run();
  Tick& tick = run.tick();
  Team team;
  std::vector<Interval> scores(static_cast<std::size_t>(labels.size()));
  if (!ask.flag("kernel")) {
    const RowStore store(border::view(x));
    const std::unique_ptr<Storage> data = store.storage(0);
    const Rows rows(*data, labels, omega, team);
    const Problem problem(rows, phi, g, free);
    const Pair pair = pair_of(problem, border::vec(w), b, dual, tick);
    const Ball ball = ball_of(problem, pair);
    const Around around(rows, ball.centre, ball.radius, offset_rule(problem), tick);
    for (Index i = 0; free && i < labels.size(); ++i) scores[i] = around.at(rows.row(i), tick);
    Rcpp::List out = as_lemmas(pair, ball, ball.centre, ellipsoid_of(problem, pair, tick), scores);
    const Tilt tilt = tilt_of(problem, pair, tick);
    if (tilt.usable()) {
      add_tilts(out, tilt, rows.squared_distances(tilt.centre, tick),
                rows.multiply(tilt.e, tick) - tilt.centre.dot(tilt.e), tilt.e.squaredNorm(), 1e-13);
    }
    return out;
  }
  const Mat values = border::mat(Rcpp::NumericMatrix(x));
  const auto kernel = kernel::stored_kernel(values.data(), values.rows(), team);
  const Gram gram(*kernel);
  const Samples samples(labels, omega, team);
  const FunctionRows rows(samples, gram, FunctionSizes(KernelSize(*kernel), 0));
  const FunctionProblem problem(rows, phi, g, free);
  const FunctionPair pair =
      pair_of(problem, rows.function(border::vec(w), tick), dual, used_rows(omega), tick);
  const BallIn<Function> ball = ball_of(problem, pair);
  const AroundRows around = around_of(rows, ball, offset_rule(problem), tick);
  for (Index i = 0; free && i < labels.size(); ++i) {
    scores[i] = around.over(distances_to(rows, i, tick), around.score[i], around.rounding[i]);
  }
  Rcpp::List out =
      as_lemmas(pair, ball, ball.centre.coef, ellipsoid_of(problem, pair, tick), scores);
  const TiltIn<Function> tilt = tilt_of(problem, pair, tick);
  if (tilt.usable()) {
    const FunctionRows moved(rows, tilt.centre);
    add_tilts(out, tilt, rows.squared_distances(tilt.centre), moved.products(tilt.e),
              most_of(rows.square(tilt.e)), 1e-13);
  }
  return out;
}

// Every optimal offset of scores within [low, high].
inline Rcpp::NumericVector probe_offset(std::string loss, double parameter, Rcpp::NumericVector y,
                                        Rcpp::NumericVector weights, Rcpp::NumericVector low,
                                        Rcpp::NumericVector high) {
  const RowVec labels(border::vec(y)), omega(border::vec(weights));
  Team team;
  return border::as_vector(offset_interval(*loss_by_name(loss, parameter),
                                           RowSums(labels.size(), team), omega, labels,
                                           RowVec(border::vec(low)), RowVec(border::vec(high))));
}

// How far, in the norm M of the problem at (w, b) with the curvature `bend` of a row that comes, the
// optimum is from a point once rows leave (from 1), the row comes and the ridge is `kappa`.
inline double probe_altered(Rcpp::NumericMatrix x, Rcpp::NumericVector y,
                            Rcpp::NumericVector weights, Rcpp::List given, Rcpp::NumericVector w,
                            double b, Rcpp::List changed) {
  const border::Options ask(given), change(changed);
  const RowVec labels(border::vec(y)), omega(border::vec(weights));
  Run run = probes::quiet_run();
  Tick& tick = run.tick();
  Team team;
  const RowStore store(border::view(x));
  const std::unique_ptr<Storage> data = store.storage(0);
  const Rows rows(*data, labels, omega, team);
  const Problem problem(rows, loss_by_name(ask.text("loss"), ask.number("parameter")),
                        {0, ask.number("mu")}, ask.flag("free"));
  const decide::AlteredOptima optima(problem, border::vec(w), b, tick);
  if (!optima.usable()) return HUGE_VAL;
  decide::Altered of{border::rows_of(changed["out"]), nullptr,
                     Vec::Constant(rows.dim(), change.number("kappa"))};
  decide::Metric metric = optima.metric();
  decide::Added in{border::vec(changed["x"]), change.number("y"), change.number("omega")};
  if (in.omega > 0) {
    of.in = &in;
    metric = with_arrival(metric, optima.arrival(in.x, tick), change.number("bend"), optima.W());
  }
  double radius = HUGE_VAL;
  const auto use = [&radius](const decide::AlteredOptima::Point& p) {
    radius = std::min(radius, p.radius);
    return false;
  };
  optima.walk(of, metric, border::vec(changed["at"]), change.number("b"), 1, use, tick);
  return radius;
}

inline double probe_lost_shares(Rcpp::NumericVector share, Rcpp::NumericVector leverage) {
  decide::LostShares lost;
  for (R_xlen_t i = 0; i < share.size(); ++i) lost.add(share[i], leverage[i]);
  return lost.least();
}

inline void add_probes(probes::Table& table) {
  table.add("lemmas", probe_lemmas);
  table.add("offset", probe_offset);
  table.add("altered", probe_altered);
  table.add("lost_shares", probe_lost_shares);
  table.add("by_curvature", by_curvature);
  table.add("missed_by_step", missed_by_step);
}

}  // namespace dualmargin::region
