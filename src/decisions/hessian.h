// What certified decisions ask of the rows in the norm of a Hessian: the Gram matrix of the rows, a
// constant 1 appended to each if asked, and the norms |x|_{H^-1} for H = R'R. Rows are dense by
// columns, or compressed rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/tick.h"
#include "rows/dense.h"
#include "rows/matrix_view.h"
#include "rows/sparse.h"

namespace dualmargin::decisions {

inline std::vector<Index> all_rows(const MatrixView& x) {
  std::vector<Index> rows(x.n);
  std::iota(rows.begin(), rows.end(), Index(0));
  return rows;
}

// f(begin, block) for blocks of some of the dense rows, as columns of `block`.
template <class F>
void for_blocks(const MatrixView& x, const std::vector<Index>& rows, bool constant, F f,
                Tick& tick) {
  constexpr Index width = 128;
  const Index dim = x.p + constant, count = static_cast<Index>(rows.size());
  Mat block(dim, width);
  for (Index begin = 0; begin < count; begin += width) {
    const Index size = std::min(width, count - begin);
    x.with_values([&](const auto* values) {
      for (Index j = 0; j < x.p; ++j) {
        for (Index i = 0; i < size; ++i) {
          block(j, i) = static_cast<double>(values[j * x.n + rows[begin + i]]);
        }
      }
    });
    if (constant) block.row(x.p).setOnes();
    f(begin, block.leftCols(size));
    tick.poll();
  }
}

// sum_i h_i x_i x_i', h >= 0
inline Mat weighted_gram(const MatrixView& x, const Vec& h, bool constant, Tick& tick) {
  const Index dim = x.p + constant;
  Mat gram = Mat::Zero(dim, dim);
  const std::vector<Index> rows = all_rows(x);
  std::vector<Index> map(dim);
  std::iota(map.begin(), map.end(), Index(0));
  if (x.form == MatrixView::Form::rows) {
    const Sparse data(x.start, x.index, x.real, x.n, x.p, constant);
    constexpr Index width = 512;
    for (Index begin = 0; begin < x.n; begin += width, tick.poll()) {
      data.add_gram(&rows[begin], &h[begin], std::min(width, x.n - begin), map, gram);
    }
  } else {
    for_blocks(
        x, rows, false,
        [&](Index begin, const auto& block) {
          const Dense data(block.data(), block.cols(), x.p, constant);
          data.add_gram(rows.data(), &h[begin], block.cols(), map, gram);
        },
        tick);
  }
  gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
  return gram;
}

// The norms of some rows: |R'^-1 x|, of compressed rows by R^-1.
inline Vec inverse_norms(const MatrixView& x, const std::vector<Index>& rows, const Mat& factor,
                         bool constant, Tick& tick) {
  const Index dim = x.p + constant, count = static_cast<Index>(rows.size());
  const auto upper = factor.triangularView<Eigen::Upper>();
  Vec norms(count);
  if (x.form == MatrixView::Form::rows) {
    const Mat inverse =
        upper.solve(Mat::Identity(dim, dim)).transpose();  // column j: row j of R^-1
    Vec y(dim);
    for (Index r = 0; r < count; ++r, tick.row(r)) {
      y.setZero();
      for (Start k = x.start[rows[r]]; k < x.start[rows[r] + 1]; ++k) {
        const Index j = x.index[k];
        y.tail(dim - j) += x.real[k] * inverse.col(j).tail(dim - j);
      }
      if (constant) y[x.p] += inverse(x.p, x.p);
      norms[r] = y.norm();
    }
  } else {
    for_blocks(
        x, rows, constant,
        [&](Index begin, const auto& block) {
          const Mat y = upper.transpose().solve(block);
          norms.segment(begin, block.cols()) = y.colwise().norm();
        },
        tick);
  }
  return norms;
}

}  // namespace dualmargin::decisions
