// The columns of an R matrix for solvers that ask for them. A dgCMatrix and a double matrix are
// used where they lie; a dgRMatrix is transposed, an integer or logical matrix converted, when a
// solver asks for the first time and not before.
#pragma once

#include <vector>

#include "border/border.h"
#include "rows/columns.h"

namespace dualmargin::border {

class ColumnStore {
 public:
  // x must outlive the store, as must centres and scales
  ColumnStore(SEXP x, const Vec& centres, const Vec& scales)
      : x_(x), centres_(centres), scales_(scales) {}

  Columns view(double bias) {
    if (!Rf_isS4(x_)) return dense(bias);
    const Rcpp::S4 matrix(x_);
    const Rcpp::IntegerVector dim = matrix.slot("Dim"), p = matrix.slot("p");
    const Rcpp::NumericVector x = matrix.slot("x");
    if (Rf_inherits(x_, "dgCMatrix")) {
      const Rcpp::IntegerVector i = matrix.slot("i");
      return Columns::sparse(p.begin(), i.begin(), x.begin(), dim[0], centres_, scales_, bias);
    }
    if (start_.empty()) transpose(dim, p, matrix.slot("j"), x);
    return Columns::sparse(start_.data(), row_.data(), values_.data(), dim[0], centres_, scales_,
                           bias);
  }

 private:
  Columns dense(double bias) {
    const Rcpp::IntegerVector dim(Rf_getAttrib(x_, R_DimSymbol));
    if (TYPEOF(x_) == REALSXP) return Columns::dense(REAL(x_), dim[0], centres_, scales_, bias);
    const R_xlen_t size = Rf_xlength(x_);
    if (values_.empty()) {
      values_.resize(size);
      for (R_xlen_t k = 0; k < size; ++k) values_[k] = entry(x_, k);
    }
    return Columns::dense(values_.data(), dim[0], centres_, scales_, bias);
  }

  // Counting sort: rows ascend within each column.
  void transpose(const Rcpp::IntegerVector& dim, const Rcpp::IntegerVector& p,
                 const Rcpp::IntegerVector& j, const Rcpp::NumericVector& x) {
    start_.assign(dim[1] + 1, 0);
    for (R_xlen_t k = 0; k < j.size(); ++k) ++start_[j[k] + 1];
    for (int c = 0; c < dim[1]; ++c) start_[c + 1] += start_[c];
    std::vector<int> next(start_.begin(), start_.end() - 1);
    row_.resize(j.size());
    values_.resize(j.size());
    for (int r = 0; r < dim[0]; ++r) {
      for (int k = p[r]; k < p[r + 1]; ++k) {
        const int at = next[j[k]]++;
        row_[at] = r;
        values_[at] = x[k];
      }
    }
  }

  SEXP x_;
  const Vec &centres_, &scales_;
  std::vector<int> start_, row_;
  std::vector<double> values_;
};

}  // namespace dualmargin::border
