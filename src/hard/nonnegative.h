// Non-negative least squares by active sets, on the Gram matrix of some rows:
//
//   min_a  1/2 |A'a|^2 - 1'a,   a >= 0   (and s'a = 0 where the intercept is free)
//
// C. L. Lawson and R. J. Hanson (1974), Solving Least Squares Problems, Chapter 23, with the
// Cholesky factor of the Gram matrix of the rows that are not zero updated row by row. A row that
// depends on those enters along the null vector until another leaves; if none does, a multiple of
// it lies in the opposite of their cone: no direction separates the rows.
//
// With s the matrix factored is that of the rows with a constant coordinate, K + s s', which is the
// same where s'a = 0 and has an inverse where the rows with their sides are independent; b is the
// multiplier of s'a = 0.
#pragma once

#include <vector>

#include "hard/hard_margin.h"

namespace dualmargin {

class NonNegativeSolver {
 public:
  explicit NonNegativeSolver(const HardMargin& problem) : problem_(problem) {}

  Index candidates() const { return static_cast<Index>(rows_.size()); }
  const std::vector<Index>& rows() const { return rows_; }
  double weight(Index k) const { return weight_[k]; }
  double intercept() const { return b_; }
  // q >= 0 with A'q = 0, on the candidates, where there is one.
  const Vec& null_combination() const { return null_; }
  bool separable() const { return null_.size() == 0; }
  Index support() const { return static_cast<Index>(passive_.size()); }

  void add(Index e) {
    rows_.push_back(e);
    Vec products;
    problem_.rows.gram(e, rows_, products);
    if (problem_.free_intercept) {
      for (Index k = 0; k < products.size(); ++k) {
        products[k] += problem_.rows.side(e) * problem_.rows.side(rows_[k]);
      }
    }
    gram_.push_back(std::move(products));
    weight_.push_back(0);
    is_passive_.push_back(false);
    if (problem_.free_intercept) side_.push_back(problem_.rows.side(e));
  }

  // Until no candidate's margin is below 1 by more than tol.
  void solve(double tol, Monitor& monitor) {
    if (!begin()) return;
    for (long guard = 0; guard < 20 * (candidates() + 10); ++guard) {
      monitor.tick();
      Index enters = -1;
      double worst = tol;
      for (Index k = 0; k < candidates(); ++k) {
        if (is_passive_[k]) continue;
        const double slack = 1 - score(k);
        if (slack > worst) {
          worst = slack;
          enters = k;
        }
      }
      if (enters < 0) return;
      if (!enter(enters)) return;
      move_to_solution();
      if (!separable()) return;
    }
  }

 private:
  static constexpr double independent = 1e-11;  // least pivot, of the diagonal

  double gram(Index k, Index l) const { return k >= l ? gram_[k][l] : gram_[l][k]; }
  double side(Index k) const { return side_.empty() ? 0.0 : side_[k]; }

  // a_k'w + b s_k; s s' adds nothing, since s'a = 0
  double score(Index k) const {
    Sum total;
    for (const Index l : passive_) total.add(gram(k, l) * weight_[l]);
    return total.value() + b_ * side(k);
  }

  // With a free intercept no weight can be positive alone: one of each side begins.
  bool begin() {
    if (side_.empty() || !passive_.empty()) return separable();
    Index plus = 0, minus = 0;
    while (side(plus) < 0) ++plus;
    while (side(minus) > 0) ++minus;
    push(plus);
    if (!enter(minus)) return false;
    move_to_solution();
    return true;
  }

  bool push(Index k) {
    const Index m = static_cast<Index>(passive_.size());
    Vec row(m + 1);
    for (Index r = 0; r < m; ++r) {
      row[r] = (gram(k, passive_[r]) - factor_[r].head(r).dot(row.head(r))) / factor_[r][r];
    }
    const double pivot = gram(k, k) - row.head(m).squaredNorm();
    if (!(pivot > independent * gram(k, k))) return false;
    row[m] = std::sqrt(pivot);
    factor_.push_back(std::move(row));
    passive_.push_back(k);
    is_passive_[k] = true;
    return true;
  }

  // x <- (L L')^{-1} x
  void solve_factor(Vec& x) const {
    const Index m = static_cast<Index>(passive_.size());
    for (Index r = 0; r < m; ++r) {
      x[r] = (x[r] - factor_[r].head(r).dot(x.head(r))) / factor_[r][r];
    }
    for (Index r = m - 1; r >= 0; --r) {
      x[r] /= factor_[r][r];
      x.head(r) -= x[r] * factor_[r].head(r);
    }
  }

  // Row `at` leaves; Givens rotations make the rest triangular again.
  void drop(Index at) {
    const Index m = static_cast<Index>(passive_.size());
    weight_[passive_[at]] = 0;
    is_passive_[passive_[at]] = false;
    factor_.erase(factor_.begin() + at);
    passive_.erase(passive_.begin() + at);
    for (Index j = at; j + 1 < m; ++j) {
      const double a = factor_[j][j], b = factor_[j][j + 1], r = std::hypot(a, b);
      for (Index i = j; i + 1 < m; ++i) {
        const double x = factor_[i][j], y = factor_[i][j + 1];
        factor_[i][j] = (a * x + b * y) / r;
        factor_[i][j + 1] = (a * y - b * x) / r;
      }
      factor_[j].conservativeResize(j + 1);
    }
  }

  // False when a null combination was found, or nothing can be done.
  bool enter(Index k) {
    if (push(k)) return true;
    // a_k = sum_r x_r a_r: along (1, -x) nothing changes but 1'a
    const Index m = static_cast<Index>(passive_.size());
    Vec x(m);
    for (Index r = 0; r < m; ++r) x[r] = gram(k, passive_[r]);
    solve_factor(x);
    double step = HUGE_VAL;
    Index leaves = -1;
    for (Index r = 0; r < m; ++r) {
      if (!(x[r] > 1e-12)) continue;
      const double reach = weight_[passive_[r]] / x[r];
      if (reach < step) {
        step = reach;
        leaves = r;
      }
    }
    if (leaves < 0) {
      null_ = Vec::Zero(candidates());
      null_[k] = 1;
      for (Index r = 0; r < m; ++r) null_[passive_[r]] = std::max(0.0, -x[r]);
      return false;
    }
    for (Index r = 0; r < m; ++r) weight_[passive_[r]] -= step * x[r];
    weight_[k] += step;
    drop(leaves);
    return push(k);
  }

  // Towards the solution on the passive rows, as far as no weight is negative; those that become
  // zero leave.
  void move_to_solution() {
    while (!passive_.empty()) {
      const Index m = static_cast<Index>(passive_.size());
      Vec x = Vec::Ones(m);
      solve_factor(x);
      if (!side_.empty()) {
        Vec y(m);
        for (Index r = 0; r < m; ++r) y[r] = side(passive_[r]);
        const Vec s = y;
        solve_factor(y);
        b_ = s.dot(x) / s.dot(y);
        x -= b_ * y;
      }
      double step = 1;
      Index leaves = -1;
      for (Index r = 0; r < m; ++r) {
        if (x[r] > 0) continue;
        const double a = weight_[passive_[r]], reach = a > 0 ? a / (a - x[r]) : 0.0;
        if (reach < step || leaves < 0) {
          step = reach;
          leaves = r;
        }
      }
      if (leaves < 0) {
        for (Index r = 0; r < m; ++r) weight_[passive_[r]] = x[r];
        return;
      }
      for (Index r = 0; r < m; ++r) {
        weight_[passive_[r]] += step * (x[r] - weight_[passive_[r]]);
      }
      drop(leaves);
    }
  }

  const HardMargin& problem_;
  std::vector<Index> rows_, passive_;
  std::vector<Vec> gram_, factor_;
  std::vector<double> weight_, side_;
  std::vector<bool> is_passive_;
  Vec null_;
  double b_ = 0;
};

}  // namespace dualmargin
