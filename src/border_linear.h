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

// `brief`, for a point of a path: the coefficients that are not zero with their places, and nothing
// of length n.
inline Rcpp::List as_list(const Report& r, const Vec& scales, bool penalized, bool brief) {
  const Index p = scales.size();
  const Vec coefficients = r.solution.w.head(p).cwiseQuotient(scales);
  Rcpp::List list = Rcpp::List::create(
      Rcpp::Named("intercept") = penalized ? r.solution.w[p] : r.solution.b,
      Rcpp::Named("value") = r.certificate.value, Rcpp::Named("bound") = r.certificate.bound,
      Rcpp::Named("gap") = r.certificate.gap, Rcpp::Named("null_value") = r.null_value,
      Rcpp::Named("status") = to_string(r.status), Rcpp::Named("rounding_floor") = r.rounding_floor,
      Rcpp::Named("threshold") = r.threshold, Rcpp::Named("solver") = r.solution.solver,
      Rcpp::Named("epochs") = r.epochs, Rcpp::Named("steps") = r.steps,
      Rcpp::Named("seconds") = r.seconds);
  if (brief) {
    std::vector<int> place;
    std::vector<double> entry;
    for (Index j = 0; j < p; ++j) {
      if (coefficients[j] == 0) continue;
      place.push_back(static_cast<int>(j) + 1);
      entry.push_back(coefficients[j]);
    }
    list["place"] = place;
    list["coefficients"] = entry;
    return list;
  }
  list["coefficients"] = coefficients;
  list["scores"] = r.scores;
  list["dual"] = r.solution.a;
  list["trace"] = as_list(r.trace);
  return list;
}

}  // namespace border
}  // namespace dualmargin
