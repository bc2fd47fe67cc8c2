// Norms in H^{-1} of the rows of a problem, a constant coordinate of a free intercept appended or
// not, by the Cholesky factor H = L L': |x|_{H^{-1}} = |L^{-1} x|.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/numeric.h"
#include "rows/rows.h"

namespace dualmargin::decide {

// Norms are raised by 1e-8, for the rounding of the factor.
class HessianFactor {
 public:
  // H: its lower triangle. Nothing where a pivot is below 1e-12 of the largest.
  static std::optional<HessianFactor> of(Mat H) {
    HessianFactor factor;
    const Index dim = H.rows();
    factor.L_ = std::move(H);
    const Eigen::LLT<Eigen::Ref<Mat>> llt(factor.L_);
    if (llt.info() != Eigen::Success) return {};
    double least = HUGE_VAL, most = 0;
    for (Index j = 0; j < dim; ++j) {
      const double pivot = factor.L_(j, j) * factor.L_(j, j);
      if (!(pivot > 0) || !std::isfinite(pivot)) return {};
      least = std::min(least, pivot);
      most = std::max(most, pivot);
    }
    if (!(least >= 1e-12 * most)) return {};
    return factor;
  }

  Index dim() const { return L_.rows(); }
  static constexpr double raised = 1 + 1e-8;
  double norm(Vec v) const {
    lower().solveInPlace(v);
    return raised * v.norm();
  }
  // ((H^{-1})_jj)^{1/2} of the last coordinate: that of the last pivot.
  double last() const { return raised / L_(dim() - 1, dim() - 1); }

  // Of some rows, in their order.
  template <class Data>
  Vec norms(const Rows<Data>& rows, const std::vector<Index>& some, Tick& tick) const {
    const auto count = static_cast<Index>(some.size());
    const Index p = rows.dim();
    const bool constant = dim() > p;
    Vec out(count);
    if constexpr (std::is_same_v<Data, Sparse>) {
      // |sum_j x_j (column j of L^{-1})|
      const Mat inverse = lower().solve(Mat::Identity(dim(), dim()));
      for_parts(rows, count, tick, [&](Index begin, Index end, Tick& t) {
        Vec y(dim());
        for (Index r = begin; r < end; ++r, t.row(r)) {
          y.setZero();
          rows.for_each(some[r], [&](Index j, double v) {
            y.tail(dim() - j) += v * inverse.col(j).tail(dim() - j);
          });
          if (constant) y[p] += inverse(p, p);
          out[r] = raised * y.norm();
        }
      });
    } else {
      for_parts(rows, count, tick, [&](Index begin, Index end, Tick& t) {
        Mat block(dim(), std::min(width, end - begin));
        for (Index from = begin; from < end; from += width) {
          const Index size = std::min(width, end - from);
          for (Index c = 0; c < size; ++c) {
            rows.for_each(some[from + c], [&](Index j, double v) { block(j, c) = v; });
            if (constant) block(p, c) = 1;
          }
          auto filled = block.leftCols(size);
          lower().solveInPlace(filled);
          out.segment(from, size) = raised * filled.colwise().norm().transpose();
          t.look();
        }
      });
    }
    return out;
  }

 private:
  static constexpr Index width = 64;

  HessianFactor() = default;
  Eigen::TriangularView<const Mat, Eigen::Lower> lower() const {
    return L_.triangularView<Eigen::Lower>();
  }
  template <class Data, class F>
  void for_parts(const Rows<Data>& rows, Index count, Tick& tick, F f) const {
    const double d = static_cast<double>(dim());
    const Index parts = rows.team.chunks(static_cast<double>(count) * d * d / 8);
    rows.team.for_chunks(
        parts, [&](Index k, Tick& t) { f(k * count / parts, (k + 1) * count / parts, t); }, tick);
  }

  Mat L_;
};

}  // namespace dualmargin::decide
