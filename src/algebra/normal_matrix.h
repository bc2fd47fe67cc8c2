// Weighted Gram matrices sum_i h_i x_i x_i' that follow slowly changing weights, and a Cholesky
// factorisation that can be interrupted. Shared by every second-order solver.
#pragma once

#include <Eigen/Cholesky>
#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <vector>

#include "base/numeric.h"
#include "base/tick.h"
#include "rows/rows.h"

namespace dualmargin {

// A = L L' from the lower triangle of A, block by block.
class Cholesky {
 public:
  // false: A is not positive definite to working precision, or the time is over
  bool factor(Mat A, Tick& tick) {
    L_ = std::move(A);
    const Index n = L_.rows();
    for (Index k = 0; k < n; k += width) {
      const Index size = std::min(width, n - k), rest = n - k - size;
      Eigen::LLT<Mat> pivot(L_.block(k, k, size, size));
      if (pivot.info() != Eigen::Success) return false;
      L_.block(k, k, size, size) = pivot.matrixL();
      if (rest == 0) break;
      auto below = L_.block(k + size, k, rest, size);
      L_.block(k, k, size, size)
          .transpose()
          .template triangularView<Eigen::Upper>()
          .template solveInPlace<Eigen::OnTheRight>(below);
      // column panels of the remainder, so that a large update can be interrupted too
      for (Index j = 0; j < rest; j += width) {
        const Index columns = std::min(width, rest - j), rows = rest - j;
        L_.block(k + size + j, k + size + j, rows, columns).noalias() -=
            below.bottomRows(rows) * below.middleRows(j, columns).transpose();
        if (!tick.poll()) return false;
      }
    }
    return L_.diagonal().allFinite();
  }
  // The first of the shares with which regularise(A, share) leaves a positive definite matrix; they
  // add up.
  template <class Regularise>
  bool factor(Mat A, std::initializer_list<double> shares, Regularise regularise, Tick& tick) {
    for (double share : shares) {
      regularise(A, share);
      if (factor(A, tick)) return true;
      if (!tick.in_time()) return false;
    }
    return false;
  }

  Vec solve(Vec b) const {
    const auto lower = L_.triangularView<Eigen::Lower>();
    lower.solveInPlace(b);
    lower.transpose().solveInPlace(b);
    return b;
  }

  // A^{-1} = V'V with V = L^{-1}, a panel of columns at a time; empty where the time is over.
  Mat inverse(Tick& tick) const {
    const Index n = L_.rows();
    Mat V = Mat::Zero(n, n), answer(n, n);
    for (Index k = 0; k < n; k += width) {
      const Index size = std::min(width, n - k), rest = n - k;
      auto panel = V.block(k, k, rest, size);
      panel.topRows(size).setIdentity();
      L_.bottomRightCorner(rest, rest).triangularView<Eigen::Lower>().solveInPlace(panel);
      if (!tick.poll()) return Mat();
    }
    for (Index k = 0; k < n; k += width) {
      const Index size = std::min(width, n - k), rest = n - k;
      answer.block(k, k, rest, size).noalias() =
          V.bottomRightCorner(rest, rest).transpose() * V.block(k, k, rest, size);
      answer.block(k, k, size, rest) = answer.block(k, k, rest, size).transpose().eval();
      if (!tick.poll()) return Mat();
    }
    return answer;
  }

 private:
  static constexpr Index width = 192;

  Mat L_;
};

// H = sum_i h_i x_i x_i' on chosen coordinates, with cross = sum_i h_i x_i and total = sum_i h_i
// for a free intercept. A row is touched again only when its weight has moved: for piecewise
// quadratic losses these are the rows that changed their piece.
class WeightedGram {
 public:
  explicit WeightedGram(const Rows& rows)
      : rows_(rows), held_(RowVec::Zero(rows.n())), map_(rows.dim(), -1) {
    std::vector<Index> all(rows.dim());
    std::iota(all.begin(), all.end(), Index{0});
    restrict_to(std::move(all));
  }

  // Coordinates in ascending order; forgets the matrix when they change.
  void restrict_to(std::vector<Index> coordinates) {
    if (coordinates == coordinates_) return;
    coordinates_ = std::move(coordinates);
    std::fill(map_.begin(), map_.end(), -1);
    for (std::size_t k = 0; k < coordinates_.size(); ++k) map_[coordinates_[k]] = k;
    clear();
  }

  // Returns the share of the rows that were visited. Of no use once the time is over.
  template <class H>  // a number a row
  double update(const H& h, Tick& tick) {
    const double rows = std::max(rows_.count(), 1.0);
    const double small = 1e-3 * rows_.sum([&](Index i) { return h[i]; }) / rows;
    const auto moved = [&](Index i) {
      return std::abs(h[i] - held_[i]) > 0.1 * held_[i] + (h[i] == 0 ? 0 : small);
    };
    const auto [changed, active] = rows_.sum([&](Index i) {
      return std::array<double, 2>{static_cast<double>(moved(i)), static_cast<double>(h[i] != 0)};
    });
    if (changed > active) clear();
    if (H_.rows() != size()) H_ = Mat::Zero(size(), size());
    visit(h, moved, tick);
    return std::min(changed, active) / rows;
  }

  // The matrix at h to the last digit, every row visited: for weights that span many orders of
  // magnitude, where even the small ones count.
  template <class H>
  void rebuild(const H& h, Tick& tick) {
    clear();
    H_ = Mat::Zero(size(), size());
    visit(
        h, [&](Index i) { return h[i] != 0; }, tick);
  }

  Index size() const { return static_cast<Index>(coordinates_.size()); }
  const std::vector<Index>& coordinates() const { return coordinates_; }
  const Mat& matrix() const { return H_; }
  // The lower triangle of sum_i h_i (x_i, 1) (x_i, 1)' + ridge |w|^2, in (w, b); without b where
  // there is no free intercept. `more` coordinates follow, all zero.
  Mat bordered(bool intercept, double ridge, Index more = 0) const {
    const Index p = size(), border = intercept ? 1 : 0;
    Mat A(p + border + more, p + border + more);
    A.topLeftCorner(p, p) = H_;
    A.diagonal().head(p).array() += ridge;
    if (intercept) {
      for (Index k = 0; k < p; ++k) A(p, k) = cross(k);
      A(p, p) = total_;
    }
    A.bottomRows(more).setZero();
    return A;
  }
  double cross(Index k) const { return cross_[coordinates_[k]]; }
  double total() const { return total_; }
  void clear() {
    H_.resize(0, 0);
    cross_ = Vec::Zero(rows_.dim());
    total_ = 0;
    held_ = RowVec::Zero(rows_.n());
  }

 private:
  template <class H, class Moved>
  void visit(const H& h, Moved moved, Tick& tick) {
    std::vector<Index> rows;
    RowVec step = RowVec::Zero(h.size());
    for (Index i = 0; i < h.size(); ++i) {
      if (!moved(i)) continue;
      rows.push_back(i);
      step[i] = h[i] - held_[i];
    }
    Vec steps(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) steps[k] = step[rows[k]];
    for (Index i : rows) held_[i] = h[i];
    rows_.gram(std::move(rows), steps, map_, H_, tick);
    cross_ += rows_.transpose_multiply(step, tick);
    total_ += rows_.sum([&](Index i) { return step[i]; });
  }

  const Rows rows_;
  RowVec held_;  // the weight with which row i stands in H
  std::vector<Index> coordinates_, map_;
  Mat H_;
  Vec cross_;
  double total_ = 0;
};

}  // namespace dualmargin
