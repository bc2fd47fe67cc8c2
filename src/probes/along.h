// For the tests: what is between two penalties, a step at a time.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "border/dispatch_loss.h"
#include "decide/along_search_bodies.h"
#include "probes/probe.h"
#include "region/ellipsoid.h"

namespace dualmargin::decide {

inline Rcpp::List probe_steps(Rcpp::NumericVector from, Rcpp::NumericVector to,
                              Rcpp::NumericVector weights, double low, double high) {
  StepsOf all;
  for (R_xlen_t i = 0; i < from.size(); ++i) all.add({from[i], to[i]}, weights[i]);
  const StepBounds steps = all.steps(low, high, 0);
  return Rcpp::List::create(
      Rcpp::Named("positions") =
          Rcpp::NumericVector(steps.positions.begin(), steps.positions.end()),
      Rcpp::Named("bound") = Rcpp::NumericVector(steps.bound.begin(), steps.bound.end()));
}

inline Rcpp::NumericVector probe_slope_bend(std::string loss, double parameter,
                                            Rcpp::NumericVector z1, Rcpp::NumericVector z2,
                                            Rcpp::NumericVector y) {
  const LossPtr phi = loss_by_name(loss, parameter);
  Rcpp::NumericVector q(y.size());
  for (R_xlen_t i = 0; i < y.size(); ++i) {
    q[i] = phi->bend(z1[i], z2[i], y[i], std::abs(z2[i] - z1[i]), 0);
  }
  return q;
}

// A fold whose held-out row i is right where |ln lambda - middle_i| is at most 1, which is known up to
// `loose` times the length of an interval; it counts the points that are kept.
struct TrialFold {
  using Solution = double;
  struct Point {
    double at;
    std::shared_ptr<int> kept;

    Point(double at_, std::shared_ptr<int> kept_) : at(at_), kept(std::move(kept_)) { ++*kept; }
    ~Point() { --*kept; }
    Point(const Point&) = delete;
  };
  struct Between {
    std::vector<Interval> spans;

    void forget_ends() {}
  };
  using PointRef = std::shared_ptr<const Point>;

  std::vector<double> middle;
  double loose;
  std::shared_ptr<int> kept = std::make_shared<int>(0);
  std::shared_ptr<std::vector<int>> seen = std::make_shared<std::vector<int>>();

  Index count() const { return static_cast<Index>(middle.size()); }
  double weight(Index) const { return 1; }
  double total() const { return static_cast<double>(middle.size()); }
  double always() const { return 0; }
  double start(const Point&, const Point&, double) const { return 0; }
  PointRef point(double, double lambda, Tick&) const {
    auto made = std::make_shared<const Point>(std::log(lambda), kept);
    seen->push_back(*kept);
    return made;
  }
  Between between(const PointRef& lower, const PointRef& upper, const Between*, Tick&) const {
    const double length = loose * (upper->at - lower->at);
    Between found;
    for (const double m : middle) {
      found.spans.push_back(
          {std::max(lower->at, m - 1 - length), std::min(upper->at, m + 1 + length)});
    }
    return found;
  }
  ErrorCount errors(const Point& p, const std::vector<const Between*>&, Tick&) const {
    ErrorCount found;
    for (const double m : middle) found.lower += std::abs(p.at - m) > 1;
    found.upper = found.lower;
    return found;
  }
};

// What a search along (low, high) with `most` points kept of them whenever it made one.
inline Rcpp::List probe_search(Rcpp::NumericVector middle, double loose, double low, double high,
                               double most) {
  Team team;
  Tick tick([] {}, Tick::Clock::now(), HUGE_VAL);
  TrialFold fold;
  fold.middle.assign(middle.begin(), middle.end());
  fold.loose = loose;
  const std::vector<TrialFold> folds{fold};
  const auto fit = [](Index, double, double, Tick&) { return 0.0; };
  const Search found = PenaltySearch<std::vector<TrialFold>>(folds, fit, team, tick)
                           .run({low, high, 0, static_cast<Index>(most)});
  double least = HUGE_VAL;
  for (const SearchPoint& p : found.points) least = std::min(least, p.errors.upper);
  return Rcpp::List::create(
      Rcpp::Named("kept") = Rcpp::IntegerVector(fold.seen->begin(), fold.seen->end()),
      Rcpp::Named("least") = least, Rcpp::Named("ended") = found.ended,
      Rcpp::Named("intervals") = static_cast<int>(found.intervals.size()));
}

// Is there a factor for a region where the time is over after so many looks at the clock?
inline bool probe_region_factor(Rcpp::NumericMatrix H, double looks) {
  Tick tick([] {}, Stopwatch::of_looks(), looks);
  const Mat hessian = Eigen::Map<const Mat>(H.begin(), H.nrow(), H.ncol());
  return region::factor_of(hessian, 0, 0, tick).usable();
}

inline void add_probes(probes::Table& table) {
  table.add("search", probe_search);
  table.add("steps", probe_steps);
  table.add("slope_bend", probe_slope_bend);
  table.add("region_factor", probe_region_factor);
}

}  // namespace dualmargin::decide
