// Kernels and solutions of the kernel family across the border.
#pragma once

#include <memory>

#include "border/border.h"
#include "kernel/kernel_store.h"
#include "kernel/path_scale.h"
#include "kernel/report.h"

namespace dualmargin::kernel {

inline std::vector<Index> places(const Rcpp::IntegerVector& from_one) {
  std::vector<Index> out(from_one.begin(), from_one.end());
  for (Index& i : out) --i;
  return out;
}

inline MixedRows mixed_rows(const Rcpp::List& list, Index originals) {
  MixedRows rows;
  rows.originals = originals;
  rows.first = places(list["first"]);
  rows.second = places(list["second"]);
  rows.share = Rcpp::as<std::vector<double>>(list["share"]);
  return rows;
}

// What a start tells about class problem k.
template <class Solution>
Solution kernel_start(SEXP start, int k) {
  Solution s;
  if (Rf_isNull(start)) return s;
  const Rcpp::List list(start);
  const Rcpp::NumericMatrix dual = list["dual"];
  const Rcpp::NumericVector intercept = list["intercept"];
  s.a = border::vec(Rcpp::NumericVector(dual.column(k)));
  s.b = intercept[k];
  return s;
}
inline Mat mat(const Rcpp::NumericMatrix& m) {
  return Eigen::Map<const Mat>(m.begin(), m.nrow(), m.ncol());
}
// Rounding in R leaves duals that are off the simplex by as much.
inline SoftmaxSolution softmax_start(SEXP start, const Mat& share) {
  SoftmaxSolution s;
  if (Rf_isNull(start)) return s;
  s.u = (mat(Rcpp::List(start)["dual"]) + share).cwiseMax(0);
  s.u.array().colwise() /= s.u.rowwise().sum().eval().array();
  return s;
}

// Shares of the classes from targets in [-1, 1], rows on the simplex.
inline Mat class_shares(const Rcpp::NumericMatrix& targets) {
  Mat share = (0.5 * (1 + mat(targets).array())).cwiseMax(0).matrix();
  share.array().colwise() /= share.rowwise().sum().eval().array();
  return share;
}

// `originals`: the scores of the user's own rows; for a point of a path nothing of length n but the
// coefficients of the expansion.
inline Rcpp::List as_list(const KernelReport& r, Index originals, bool brief) {
  Rcpp::List list = border::as_list(r, r.solution.solver, brief);
  list["intercept"] = r.intercept;
  border::add_coefficients(list, r.beta, brief);
  if (brief) return list;
  list["scores"] = Vec(r.solution.f.head(originals).array() + (r.solution.b + r.level));
  list["dual"] = r.solution.a;
  return list;
}

// One class problem whose columns are the classes.
inline Rcpp::List as_list(const SoftmaxReport& r, Index originals, bool brief) {
  Rcpp::List list = border::as_list(r, r.solution.solver, brief);
  list["intercept"] = r.intercept;
  list["coefficients"] = r.beta;
  if (brief) return list;
  list["scores"] = Mat(r.solution.f.topRows(originals));
  list["dual"] = r.dual;
  return list;
}

}  // namespace dualmargin::kernel
