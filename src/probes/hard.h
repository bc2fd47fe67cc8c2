// For the tests of the hard family: the iterates of Algorithm 1, products of rows.
#pragma once

#include <numeric>

#include "border/border.h"
#include "hard/solvers.h"
#include "probes/probe.h"
#include "rows/row_store.h"
#include "rows/rows.h"

namespace dualmargin::hard {

// w_T and g_{T-1} of Algorithm 1 on two classes, whose rows are divided by their largest norm, the
// margin of w_T and 2 |g_{T-1}| / (T - 1); g and the two ends on the scale of x.
inline Rcpp::List probe_momentum(SEXP x, const Rcpp::NumericVector& y, int steps) {
  const RowVec labels(border::vec(y)), ones = RowVec::Ones(labels.size());
  const RowStore data(border::view(x));
  Team team;
  Rcpp::List answer;
  data.visit(0.0, [&](const auto& samples) {
    const ExampleRows rows({samples, labels, ones, team}, 1);
    const double R = rows.largest_norm();
    Run run = probes::quiet_run();
    MomentumState state(rows);
    for (int t = 0; t < steps; ++t) state.step(rows, false, run);
    const double length = state.w.norm();
    answer = Rcpp::List::create(
        Rcpp::Named("w") = state.w, Rcpp::Named("g") = Vec(R * state.g), Rcpp::Named("norm") = R,
        Rcpp::Named("value") = R * state.p.minCoeff() / length,
        Rcpp::Named("bound") = steps > 1 ? 2 * R * state.g.norm() / (steps - 1) : HUGE_VAL);
    return 0;
  });
  return answer;
}

// A A' by gram() and by column(), A times the rows by dot(), and A' times the identity by add().
inline Rcpp::List probe_margin_rows(SEXP x, const Rcpp::NumericVector& y, int classes) {
  const RowVec labels(border::vec(y)), ones = RowVec::Ones(labels.size());
  const RowStore data(border::view(x));
  Team team;
  Rcpp::List answer;
  const auto look = [&](const MarginRows& rows) {
    const Index n = rows.size();
    Run run = probes::quiet_run();
    std::vector<Index> all(n);
    std::iota(all.begin(), all.end(), Index{0});
    Mat gram(n, n), column(n, n), dots(n, n), multiplied(n, n), a(n, rows.dim());
    Vec products, out, combined;
    for (Index e = 0; e < n; ++e) {
      rows.gram(e, all, out, run);
      gram.col(e) = out;
      rows.products(rows.example(e), products, run);
      rows.column(e, products, out);
      column.col(e) = out;
      Vec w = Vec::Zero(rows.dim());
      rows.add(e, 1, w);
      rows.combine(Vec::Unit(n, e), combined, run);
      a.row(e) = 0.5 * (w + combined);
      for (Index f = 0; f < n; ++f) dots(f, e) = rows.dot(f, w);
      rows.multiply(w, out, run);
      multiplied.col(e) = out;
    }
    answer = Rcpp::List::create(Rcpp::Named("rows") = a, Rcpp::Named("gram") = gram,
                                Rcpp::Named("column") = column, Rcpp::Named("dots") = dots,
                                Rcpp::Named("multiplied") = multiplied);
  };
  data.visit(0.0, [&](const auto& samples) {
    look(ExampleRows({samples, labels, ones, team}, classes));
    return 0;
  });
  return answer;
}

// The upper end at weights q, on the scale of the rows.
inline Rcpp::List probe_hard_upper(SEXP x, const Rcpp::NumericVector& y,
                                   const Rcpp::NumericVector& q) {
  const RowVec labels(border::vec(y)), ones = RowVec::Ones(labels.size());
  const RowStore data(border::view(x));
  Team team;
  Rcpp::List answer;
  data.visit(0.0, [&](const auto& samples) {
    const ExampleRows rows({samples, labels, ones, team}, 1);
    Run run = probes::quiet_run();
    Dual dual{border::vec(q), {}};
    const End high = HardMargin(rows, false).upper(dual, run);
    answer = Rcpp::List::create(Rcpp::Named("value") = rows.largest_norm() * high.value,
                                Rcpp::Named("rounding") = rows.largest_norm() * high.rounding);
    return 0;
  });
  return answer;
}

inline void add_probes(probes::Table& table) {
  table.add("momentum", probe_momentum);
  table.add("margin_rows", probe_margin_rows);
  table.add("hard_upper", probe_hard_upper);
}

}  // namespace dualmargin::hard
