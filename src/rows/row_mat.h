// Some numbers a row, as many for each: its scores or dual variables in k classes. As RowVec it
// offers work within rows and entry by entry alone; what is added or compared over rows is asked of
// Rows.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "rows/row_sums.h"

namespace dualmargin {

class RowMat {
 public:
  RowMat() = default;
  RowMat(Index rows, Index width) : m_(width, rows) {}
  // a column for each row
  explicit RowMat(Mat m) : m_(std::move(m)) {}
  static RowMat zero(Index rows, Index width) { return RowMat(Mat::Zero(width, rows)); }

  Index size() const { return m_.cols(); }
  Index width() const { return m_.rows(); }

  // Row i: all that may be added up here.
  auto operator[](Index i) { return m_.col(i); }
  auto operator[](Index i) const { return m_.col(i); }
  const double* at(Index i) const { return m_.data() + i * width(); }
  double operator()(Index i, Index c) const { return m_(c, i); }
  double& operator()(Index i, Index c) { return m_(c, i); }

  // The c-th number of every row.
  RowVec entry(Index c) const { return RowVec(Vec(m_.row(c))); }
  void set_entry(Index c, const RowVec& v) { m_.row(c) = v.local(); }

  void swap(RowMat& other) { m_.swap(other.m_); }
  // this + t step
  void add(double t, const RowMat& step) { m_ += t * step.m_; }

  // The same b beside every row.
  friend RowMat operator+(RowMat a, const Vec& b) {
    a.m_.colwise() += b;
    return a;
  }
  friend RowMat operator+(RowMat a, const RowMat& b) {
    a.m_ += b.m_;
    return a;
  }
  friend RowMat operator-(RowMat a, const RowMat& b) {
    a.m_ -= b.m_;
    return a;
  }
  friend RowMat operator*(double t, RowMat a) {
    a.m_ *= t;
    return a;
  }

  // The rows of this process, a column for each.
  const Mat& local() const { return m_; }

 private:
  Mat m_;
};

// sum_i term(i, c) for every c below count, some of them in one pass.
template <class Term>
Vec sums(const RowSums& rows, Index count, Term term) {
  constexpr Index together = 8;
  Vec total(count);
  for (Index first = 0; first < count; first += together) {
    const Index here = std::min(together, count - first);
    const auto part = rows.sum([&](Index i) {
      std::array<double, together> terms{};
      for (Index c = 0; c < here; ++c) terms[c] = term(i, first + c);
      return terms;
    });
    for (Index c = 0; c < here; ++c) total[first + c] = part[c];
  }
  return total;
}

}  // namespace dualmargin
