// What leaves the linear wing: the returned point with its certificate recomputed from the
// definitions, and how the run ended.
#pragma once

#include <vector>

#include "linear/erm.h"

namespace dualmargin {

struct Report {
  Solution solution;
  Vec scores;
  Certificate certificate;
  Status status;
  double null_value, rounding_floor, threshold, epochs, seconds;
  long steps;
  std::vector<TraceRow> trace;
};

// The relative gap that rounding permits. Scores of rows of norm R carry errors of 2e-16 R |w|; the
// gradient inherits them, and a ridge gap is |gradient|^2 / (2 l2).
template <class Data>
double rounding_floor(const Erm<Data>& problem, double value) {
  double largest = 0;
  for (Index i = 0; i < problem.n(); ++i) {
    if (problem.weights[i] > 0) largest = std::max(largest, problem.x.squared_norm(i));
  }
  const double lambda = problem.penalty.l1 + problem.penalty.l2;
  return value > 0 ? 4e-32 * largest / (2 * lambda * value) : 0.0;
}

template <class Data>
Report report(const Erm<Data>& problem, Solution s, Monitor& monitor) {
  Report r;
  r.certificate = problem.certify(s, r.scores, monitor);
  r.status = monitor.status();
  r.null_value = monitor.null_value();
  r.rounding_floor = rounding_floor(problem, r.certificate.value);
  r.threshold = monitor.threshold();
  r.epochs = monitor.epoch();
  r.steps = monitor.steps();
  r.seconds = monitor.seconds();
  r.trace = monitor.trace();
  const Certificate& c = r.certificate;
  const double size = std::max({std::abs(c.value), std::abs(c.bound), 1.0});
  // bound > value by more than rounding can explain: not a small gap but a broken point
  if (!s.w.allFinite() || !std::isfinite(c.value) || !(c.gap >= -64 * 2.2e-16 * size)) {
    r.status = Status::not_finite;
  } else if (r.status != Status::certified && r.status != Status::refused) {
    // near the floor a run either stalls or burns its epochs
    const double reach = (r.status == Status::stalled ? 1e3 : 10) * r.rounding_floor + 1e-13;
    if (c.relative_gap(r.null_value) <= reach) r.status = Status::rounding_floor;
  }
  r.solution = std::move(s);
  return r;
}

// +1 for class k, -1 for the rest.
inline Vec one_versus_rest(const Vec& codes, int k) {
  return codes.unaryExpr([k](double code) { return code == k ? 1.0 : -1.0; });
}

}  // namespace dualmargin
