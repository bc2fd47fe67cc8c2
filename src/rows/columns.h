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
  double nonzeros() const {
    const double rows = static_cast<double>(n_);
    const double entries =
        start_ == nullptr ? rows * p_ : static_cast<double>(start_[p_] - start_[0]);
    return entries + (bias_ != 0 ? rows : 0.0);
  }

  template <class F>  // f(i, x_ij) over the stored entries of column j
  void for_each(Index j, F f) const {
    const double factor = j < p_ ? factor_[j] : bias_, c = j < p_ ? centre_[j] : 0.0;
    visit(j, [&](Index i, double x) { f(i, factor * (x - c)); });
  }

  // sum_i x_ij v_i
  double dot(Index j, const Vec& v) const {
    if (j == p_) return bias_ * v.sum();
    const double c = centre_[j];
    if (start_ == nullptr) {
      return factor_[j] * (c == 0 ? column(j).dot(v) : (column(j).array() - c).matrix().dot(v));
    }
    double even = 0, odd = 0;
    Start k = start_[j];
    for (const Start end = start_[j + 1] - 1; k < end; k += 2) {
      even += (value_[k] - c) * v[row_[k]];
      odd += (value_[k + 1] - c) * v[row_[k + 1]];
    }
    if (k < start_[j + 1]) even += (value_[k] - c) * v[row_[k]];
    return factor_[j] * (even + odd);
  }

  // v += a x_j
  void axpy(Index j, double a, Vec& v) const {
    if (j == p_) {
      v.array() += a * bias_;
      return;
    }
    const double scaled = a * factor_[j], c = centre_[j];
    if (start_ != nullptr) {
      for (Start k = start_[j], end = start_[j + 1]; k < end; ++k)
        v[row_[k]] += scaled * (value_[k] - c);
    } else if (c == 0) {
      v += scaled * column(j);
    } else {
      v += scaled * (column(j).array() - c).matrix();
    }
  }

  // v += a h x_j, entry by entry
  void axpy(Index j, double a, const Vec& h, Vec& v) const {
    if (j == p_) {
      v += a * bias_ * h;
      return;
    }
    const double scaled = a * factor_[j], c = centre_[j];
    if (start_ != nullptr) {
      for (Start k = start_[j], end = start_[j + 1]; k < end; ++k) {
        v[row_[k]] += scaled * (value_[k] - c) * h[row_[k]];
      }
    } else if (c == 0) {
      v += scaled * h.cwiseProduct(column(j));
    } else {
      v += scaled * h.cwiseProduct((column(j).array() - c).matrix());
    }
  }

  // sum_i h_i x_ij and sum_i h_i x_ij^2
  struct Moments {
    double first = 0, second = 0;
  };
  Moments moments(Index j, const Vec& h) const {
    Moments m;
    for_each(j, [&](Index i, double x) {
      const double hx = h[i] * x;
      m.first += hx;
      m.second += hx * x;
    });
    return m;
  }

 private:
  Columns(const Start* start, const int* row, const double* value, Index n, const Vec& centres,
          const Vec& scales, double bias)
      : start_(start),
        row_(row),
        value_(value),
        n_(n),
        p_(scales.size()),
        centre_(centres),
        factor_(scales.cwiseInverse()),
        bias_(bias) {}

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
