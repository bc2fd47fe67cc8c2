#include "algebra/cholesky.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <utility>

namespace dualmargin {

bool Cholesky::factor(Mat A, Tick& tick) {
  L_ = std::move(A);
  const Index n = m_ = L_.rows();
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

bool Cholesky::factor(Mat A, std::initializer_list<double> shares,
                      FunctionRef<void(Mat&, double)> regularise, Tick& tick) {
  for (double share : shares) {
    regularise(A, share);
    if (factor(A, tick)) return true;
    if (!tick.in_time()) return false;
  }
  return false;
}

Mat Cholesky::lower() const { return used().triangularView<Eigen::Lower>(); }

void Cholesky::solve_lower(Vec& x) const { used().triangularView<Eigen::Lower>().solveInPlace(x); }
void Cholesky::solve_lower(Mat& x) const { used().triangularView<Eigen::Lower>().solveInPlace(x); }
void Cholesky::solve_upper(Vec& x) const {
  used().transpose().triangularView<Eigen::Upper>().solveInPlace(x);
}
void Cholesky::solve_upper(Mat& x) const {
  used().transpose().triangularView<Eigen::Upper>().solveInPlace(x);
}

Mat Cholesky::inverse(Tick& tick) const {
  const Index n = m_;
  Mat V = Mat::Zero(n, n), answer(n, n);
  for (Index k = 0; k < n; k += width) {
    const Index size = std::min(width, n - k), rest = n - k;
    auto panel = V.block(k, k, rest, size);
    panel.topRows(size).setIdentity();
    L_.block(k, k, rest, rest).triangularView<Eigen::Lower>().solveInPlace(panel);
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

void Cholesky::append(const Vec& row, double diagonal) {
  if (m_ == L_.rows()) {
    Mat larger = Mat::Zero(2 * m_ + 16, 2 * m_ + 16);
    larger.topLeftCorner(m_, m_) = used();
    L_.swap(larger);
  }
  L_.row(m_).head(m_) = row.transpose();
  L_(m_, m_) = diagonal;
  ++m_;
}

void Cholesky::remove(Index at, FunctionRef<void(Index, double, double)> turned) {
  --m_;
  for (Index j = 0; j <= m_; ++j) {
    const Index first = std::max(at, j - 1);
    for (Index i = first; i < m_; ++i) L_(i, j) = L_(i + 1, j);
  }
  for (Index j = at; j < m_; ++j) {
    const double a = L_(j, j), b = L_(j, j + 1), r = std::hypot(a, b);
    for (Index i = j; i < m_; ++i) {
      const double x = L_(i, j), y = L_(i, j + 1);
      L_(i, j) = (a * x + b * y) / r;
      L_(i, j + 1) = (a * y - b * x) / r;
    }
    turned(j, a / r, b / r);
  }
}

PivotedCholesky::PivotedCholesky(const Vec& diagonal, const Vec& size, double tolerance, Index most,
                                 FunctionRef<Vec(Index)> column, Tick& tick) {
  const Index n = diagonal.size();
  Vec left = diagonal;
  const auto share = [&](Index i) { return size[i] > 0 ? left[i] / size[i] : 0.0; };
  for (Index t = 0; t < std::min(n, most); ++t) {
    Index i = 0;
    for (Index k = 1; k < n; ++k) {
      if (share(k) > share(i)) i = k;
    }
    if (!(share(i) > tolerance)) break;
    if (t == factor.rows()) factor.conservativeResize(std::min(n, std::max<Index>(64, 2 * t)), n);
    Vec next = column(i);
    next.noalias() -= factor.topRows(t).transpose() * factor.col(i).head(t);
    if (!(next[i] > tolerance * size[i])) break;
    next /= std::sqrt(next[i]);
    factor.row(t) = next;
    left -= next.cwiseAbs2();
    left[i] = 0;
    pivots.push_back(i);
    if (!tick.poll()) break;
  }
  factor.conservativeResize(static_cast<Index>(pivots.size()), n);
}

}  // namespace dualmargin
