// Solutions of the robust family across the border: a start comes in, a report goes out. Weights
// are those of the scaled columns inside and of the user's columns outside.
#pragma once

#include "border.h"
#include "robust/report.h"

namespace dualmargin {
namespace border {

// Weights count relative to one another: divided by a power of two, which changes no digit, so that
// no sum of them overflows.
inline Vec relative_weights(const Rcpp::NumericVector& weights) {
  int exponent = 0;
  std::frexp(vec(weights).maxCoeff(), &exponent);
  return vec(weights).unaryExpr([exponent](double w) { return std::ldexp(w, -exponent); });
}

inline RobustPoint robust_start(SEXP start, int k, const Vec& scales, bool penalized) {
  RobustPoint s;
  if (Rf_isNull(start)) return s;
  const Rcpp::List list(start);
  const Rcpp::NumericMatrix coefficients = list["coefficients"];
  const Rcpp::NumericVector intercept = list["intercept"], scale = list["norm_bound"];
  const Index p = scales.size();
  s.w = Vec::Zero(p + penalized);
  for (Index j = 0; j < p; ++j) s.w[j] = coefficients(j, k) * scales[j];
  (penalized ? s.w[p] : s.b) = intercept[k];
  s.t = scale[k];
  if (!Rf_isNull(list["alpha"])) {
    const Rcpp::NumericMatrix alpha = list["alpha"], beta = list["beta"];
    s.alpha = vec(Rcpp::NumericVector(alpha.column(k)));
    s.beta = vec(Rcpp::NumericVector(beta.column(k)));
  }
  return s;
}

// `brief`, for a point of a path: nothing of length n.
inline Rcpp::List as_list(const RobustReport& r, const Vec& scales, bool penalized, bool brief) {
  const Index p = scales.size();
  Rcpp::List list = as_list(r, r.solution.solver, brief);
  list["intercept"] = penalized ? r.solution.w[p] : r.solution.b;
  list["norm_bound"] = r.solution.t;
  list["norm_limit"] = r.norm_limit;
  add_coefficients(list, r.solution.w.head(p).cwiseQuotient(scales), brief);
  if (brief) return list;
  list["scores"] = r.scores;
  list["dual"] = r.solution.alpha;
  list["dual_flip"] = r.solution.beta;
  return list;
}

}  // namespace border
}  // namespace dualmargin
