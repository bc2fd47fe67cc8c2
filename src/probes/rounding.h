// For the tests: sums as the core adds them up, and what base/rounding.h says that they can lose.
#pragma once

#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/rounding.h"
#include "base/team.h"
#include "border/border.h"
#include "probes/probe.h"
#include "rows/dense.h"
#include "rows/sparse.h"

namespace dualmargin::probes {

inline double probe_sum(std::string how, Rcpp::NumericVector terms, int threads) {
  const auto term = [&](Index i) { return terms[i]; };
  Team team(threads);
  if (how == "rows") return sum_over(team, terms.size(), term);
  if (how == "sum") return sum_over(terms.size(), term);
  if (how == "accurate") return accurate_sum(terms.size(), term);
  throw std::invalid_argument(how);
}

// Of one row.
inline double probe_dot(std::string how, Rcpp::NumericVector x, Rcpp::NumericVector w) {
  const auto p = static_cast<Index>(x.size());
  const Vec weights = border::vec(w);
  if (how == "dense") return Dense(x.begin(), 1, p, 0).dot(0, weights);
  const Start start[2] = {0, static_cast<Start>(p)};
  std::vector<int> column(static_cast<std::size_t>(p));
  std::iota(column.begin(), column.end(), 0);
  return Sparse(start, column.data(), x.begin(), 1, p, 0).dot(0, weights);
}

inline double probe_rounding(std::string what, double terms) {
  if (what == "plain_sum") return rounding::of_plain_sum(terms);
  if (what == "sum") return rounding::of_sum(terms);
  if (what == "accurate_sum") return rounding::of_accurate_sum();
  if (what == "dot") return rounding::of_dot(terms);
  if (what == "score") return rounding::of_score(terms);
  if (what == "value") return rounding::of_value();
  throw std::invalid_argument(what);
}

inline void add_rounding_probes(Table& table) {
  table.add("sum", probe_sum);
  table.add("dot", probe_dot);
  table.add("rounding", probe_rounding);
}

}  // namespace dualmargin::probes
