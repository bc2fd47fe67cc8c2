// For the tests: what is between two penalties, a step at a time.
#pragma once

#include <string>

#include "border/dispatch_loss.h"
#include "decide/along_spans.h"
#include "probes/probe.h"

namespace dualmargin::decide {

inline Rcpp::List probe_steps(Rcpp::NumericVector from, Rcpp::NumericVector to,
                              Rcpp::NumericVector weights, double low, double high) {
  StepsOf all;
  for (R_xlen_t i = 0; i < from.size(); ++i) all.add({from[i], to[i]}, weights[i]);
  const Steps steps = all.steps(low, high, 0);
  return Rcpp::List::create(
      Rcpp::Named("positions") =
          Rcpp::NumericVector(steps.positions.begin(), steps.positions.end()),
      Rcpp::Named("bound") = Rcpp::NumericVector(steps.bound.begin(), steps.bound.end()));
}

inline Rcpp::NumericVector probe_slope_bend(std::string loss, double parameter,
                                            Rcpp::NumericVector z1, Rcpp::NumericVector z2,
                                            Rcpp::NumericVector y) {
  const SlopeShape shape =
      with_loss(loss, parameter, [](const auto& phi) { return SlopeShape::of(phi); });
  Rcpp::NumericVector q(y.size());
  for (R_xlen_t i = 0; i < y.size(); ++i) {
    q[i] = shape.bend(z1[i], z2[i], y[i], std::abs(z2[i] - z1[i]), 0);
  }
  return q;
}

inline void add_probes(probes::Table& table) {
  table.add("steps", probe_steps);
  table.add("slope_bend", probe_slope_bend);
}

}  // namespace dualmargin::decide
