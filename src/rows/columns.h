// The same data by features: column j is a list of (sample, value). Only pointers are held, to R's
// own storage where that lies by columns; centre and scale of a column are applied at run time, so
// that nothing is copied for them. The bias, if there is one, is the last column.
#pragma once

#include "base/numeric.h"

namespace dualmargin {

class Columns {
 public:
  // values: column-major. centres: what is subtracted from the stored entries of each column,
  // scales: what it is then divided by.
  static Columns dense(const double* values, Index n, const Vec& centres, const Vec& scales,
                       double bias) {
    return Columns(nullptr, nullptr, values, n, centres, scales, bias);
  }
  // Column j owns the entries [start[j], start[j + 1]).
  static Columns sparse(const Start* start, const int* row, const double* value, Index n,
                        const Vec& centres, const Vec& scales, double bias) {
    return Columns(start, row, value, n, centres, scales, bias);
  }

  Index n() const { return n_; }
  Index dim() const { return p_ + (bias_ != 0); }
  Index nonzeros(Index j) const {
    return start_ == nullptr || j == p_ ? n_ : start_[j + 1] - start_[j];
  }
  double nonzeros() const;

  template <class F>  // f(i, x_ij) over the stored entries of column j
  void for_each(Index j, F f) const {
    const double factor = j < p_ ? factor_[j] : bias_, c = j < p_ ? centre_[j] : 0.0;
    visit(j, [&](Index i, double x) { f(i, factor * (x - c)); });
  }

  // sum_i x_ij v_i
  double dot(Index j, const Vec& v) const;

  // v += a x_j
  void axpy(Index j, double a, Vec& v) const;

  // v += a h x_j, entry by entry
  void axpy(Index j, double a, const Vec& h, Vec& v) const;

  // sum_i h_i x_ij and sum_i h_i x_ij^2
  struct Moments {
    double first = 0, second = 0;
  };
  Moments moments(Index j, const Vec& h) const;

 private:
  Columns(const Start* start, const int* row, const double* value, Index n, const Vec& centres,
          const Vec& scales, double bias);

  template <class F>  // entries as they are stored
  void visit(Index j, F f) const {
    if (j == p_) {
      for (Index i = 0; i < n_; ++i) f(i, 1.0);
    } else if (start_ == nullptr) {
      const double* x = value_ + j * n_;
      for (Index i = 0; i < n_; ++i) f(i, x[i]);
    } else {
      for (Start k = start_[j], end = start_[j + 1]; k < end; ++k) f(Index(row_[k]), value_[k]);
    }
  }
  Eigen::Map<const Vec> column(Index j) const { return {value_ + j * n_, n_}; }

  const Start* start_;  // null: dense
  const int* row_;
  const double* value_;
  Index n_, p_;
  Vec centre_, factor_;
  double bias_;
};

}  // namespace dualmargin
