#include "rows/columns.h"

namespace dualmargin {

double Columns::nonzeros() const {
  const double rows = static_cast<double>(n_);
  const double entries =
      start_ == nullptr ? rows * p_ : static_cast<double>(start_[p_] - start_[0]);
  return entries + (bias_ != 0 ? rows : 0.0);
}

double Columns::dot(Index j, const Vec& v) const {
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

void Columns::axpy(Index j, double a, Vec& v) const {
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

void Columns::axpy(Index j, double a, const Vec& h, Vec& v) const {
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

Columns::Moments Columns::moments(Index j, const Vec& h) const {
  Moments m;
  for_each(j, [&](Index i, double x) {
    const double hx = h[i] * x;
    m.first += hx;
    m.second += hx * x;
  });
  return m;
}

Columns::Columns(const Start* start, const int* row, const double* value, Index n,
                 const Vec& centres, const Vec& scales, double bias)
    : start_(start),
      row_(row),
      value_(value),
      n_(n),
      p_(scales.size()),
      centre_(centres),
      factor_(scales.cwiseInverse()),
      bias_(bias) {}

}  // namespace dualmargin
