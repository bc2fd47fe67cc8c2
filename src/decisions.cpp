// What R asks of the rows for certified decisions.
#include <limits>
#include <vector>

#include "border/border.h"
#include "decisions/hessian.h"

using namespace dualmargin;

namespace {

Tick patient() {
  return {Rcpp::checkUserInterrupt, Tick::Clock::now(), std::numeric_limits<double>::infinity()};
}

}  // namespace

// sum_i h_i x_i x_i' of dense or compressed rows, with a last coordinate of 1 where `constant`.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix weighted_gram_cpp(SEXP x, const Rcpp::NumericVector& h, bool constant) {
  Tick tick = patient();
  return Rcpp::wrap(decisions::weighted_gram(border::view(x), border::vec(h), constant, tick));
}

// |x_i| in the norm of the inverse of R'R; factor: R; rows: which of x, from 1, NULL for all.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector inverse_norms_cpp(SEXP x, const Rcpp::NumericMatrix& factor, bool constant,
                                      SEXP rows) {
  Tick tick = patient();
  const MatrixView view = border::view(x);
  std::vector<Index> chosen;
  if (Rf_isNull(rows)) {
    chosen = decisions::all_rows(view);
  } else {
    for (int i : Rcpp::IntegerVector(rows)) chosen.push_back(i - 1);
  }
  const Mat R = Eigen::Map<const Mat>(factor.begin(), factor.nrow(), factor.ncol());
  return Rcpp::wrap(decisions::inverse_norms(view, chosen, R, constant, tick));
}
