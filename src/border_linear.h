// Solutions of the linear family across the border: a start comes in, a report goes out. Weights
// are those of the scaled columns inside and of the user's columns outside.
#pragma once

#include "border_columns.h"
#include "linear/report.h"

namespace dualmargin {
namespace border {

inline Solution starting_point(SEXP start, int k, const Vec& scales, bool penalized) {
  Solution s;
  if (Rf_isNull(start)) return s;
  const Rcpp::List list(start);
  const Rcpp::NumericMatrix coefficients = list["coefficients"];
  const Rcpp::NumericVector intercept = list["intercept"];
  const Index p = scales.size();
  s.w = Vec::Zero(p + penalized);
  for (Index j = 0; j < p; ++j) s.w[j] = coefficients(j, k) * scales[j];
  (penalized ? s.w[p] : s.b) = intercept[k];
  if (!Rf_isNull(list["dual"])) {
    const Rcpp::NumericMatrix dual = list["dual"];
    s.a = vec(Rcpp::NumericVector(dual.column(k)));
  }
  return s;
}

// `brief`, for a point of a path: nothing of length n.
inline Rcpp::List as_list(const Report& r, const Vec& scales, bool penalized, bool brief) {
  const Index p = scales.size();
  Rcpp::List list = as_list(r, r.solution.solver, brief);
  list["intercept"] = penalized ? r.solution.w[p] : r.solution.b;
  add_coefficients(list, r.solution.w.head(p).cwiseQuotient(scales), brief);
  if (brief) return list;
  list["scores"] = r.scores;
  list["dual"] = r.solution.a;
  return list;
}

}  // namespace border
}  // namespace dualmargin
