// Glue of margin_hard() on columns: names to types, then one call.
#include "border/hard.h"

using namespace dualmargin;
using namespace dualmargin::hard;

// [[Rcpp::export(rng = false)]]
Rcpp::List fit_hard_cpp(SEXP x, const Rcpp::NumericVector& y, const Rcpp::NumericVector& weights,
                        const Rcpp::List& problem, const Rcpp::List& control) {
  const HardCall call(y, weights, problem, control);
  // where the intercept is free the margin does not hang on where the origin is
  const border::RowStore rows(x, call.omega, call.ask.flag("scale"),
                              call.free() ? border::Origin::exact : border::Origin::fixed);
  Rcpp::List answer;
  rows.visit(call.constant(), [&](const auto& data) {
    call.with_rows(data, 0, [&](const MarginRows& a) {
      const Report r = call.solve(a, a, 0);
      const Index p = rows.scales().size(), dim = data.dim(), k = a.dim() / dim;
      const Mat w = call.length() * Eigen::Map<const Mat>(r.solution.w.data(), dim, k);
      Vec b = call.penalized() ? Vec(w.row(p).transpose()) : Vec::Constant(k, r.solution.b);
      Mat scores(data.n(), k);
      for (Index c = 0; c < k; ++c) {
        const Vec direction = w.col(c);
        const double added = call.penalized() ? 0.0 : b[c];
        for (Index i = 0; i < data.n(); ++i) scores(i, c) = data.dot(i, direction) + added;
      }
      const Mat slopes = w.topRows(p).array().colwise() / rows.scales().array();
      if (call.free()) b -= slopes.transpose() * rows.centre();
      answer = as_list(r, slopes, b, scores);
    });
    return 0;
  });
  return Rcpp::List::create(Rcpp::Named("scales") = rows.scales(),
                            Rcpp::Named("solutions") = Rcpp::List::create(answer));
}
