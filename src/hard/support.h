// The candidates that have a weight: the Cholesky factor of their Gram matrix, with the constant
// coordinate, and their span.
#pragma once

#include "algebra/growing_basis.h"
#include "algebra/growing_cholesky.h"
#include "hard/candidates.h"
#include "hard/cost_model.h"

namespace dualmargin::hard {

class Support {
 public:
  explicit Support(const Candidates& candidates, bool free_intercept)
      : candidates_(candidates),
        free_(free_intercept),
        has_basis_(!candidates.all.is_kernel() &&
                   candidates.all.dim() <= CostModel::most_columns_of_basis),
        basis_(has_basis_ ? candidates.all.dim() + 1 : 0) {}

  Index size() const { return factor_.size(); }
  Index operator[](Index r) const { return order_[r]; }  // a candidate
  Index row(Index r) const { return candidates_.row(order_[r]); }
  double side(Index r) const { return candidates_.side(order_[r]); }

  // Of vectors with the constant coordinate, the last one: w += sum_r x_r a_r, and all a_r'w.
  void add(const Vec& x, Vec& w) const {
    for (Index r = 0; r < size(); ++r) add(order_[r], x[r], w);
  }
  Vec dots(const Vec& w) const {
    const MarginRows& rows = candidates_.all;
    Vec of(size());
    for (Index r = 0; r < size(); ++r) of[r] = rows.dot(row(r), w) + side(r) * w[rows.dim()];
    return of;
  }

  void remove(Index at) {
    factor_.remove(at, [&](Index j, double c, double s) {
      if (has_basis_) basis_.turn(j, c, s);
    });
    if (has_basis_) basis_.remove_last();
    order_.erase(order_.begin() + at);
  }

  // `work` grows by that in passes over the data. True, and candidate k is the last, if it is not
  // in the span of the others; else a_k = sum_r x_r a_r.
  bool append(Index k, Vec& x, double& work) {
    Vec row, rest;
    double distance = project(k, row, rest, work);
    if (!(distance * distance > 1e-8 * candidates_.product(k, k))) {
      x = row;
      factor_.solve_upper(x);
      if (!has_basis_ && !candidates_.all.is_kernel()) distance = distance_to_span(k, x, work);
      if (!(distance > noise(1 + x.lpNorm<1>()))) return false;
    }
    if (has_basis_) basis_.append(rest / distance);
    factor_.append(row, distance);
    order_.push_back(k);
    return true;
  }

  // x, y with K x + y s = right, which x is before, and s'x = total.
  void solve(Vec& x, double total, double& y) const {
    factor_.solve(x);
    y = 0;
    if (!free_) return;
    Vec s(size());
    for (Index r = 0; r < size(); ++r) s[r] = side(r);
    Vec z = s;
    factor_.solve(z);
    y = (s.dot(x) - total) / s.dot(z);
    x -= y * z;
  }

 private:
  void add(Index k, double a, Vec& w) const {  // w += a a_k, of a candidate
    candidates_.all.add(candidates_.row(k), a, w);
    w[candidates_.all.dim()] += a * candidates_.side(k);
  }

  // The new row of the factor, and how far a_k is from the span; `rest`: the part outside of it,
  // where there is a basis.
  double project(Index k, Vec& row, Vec& rest, double& work) const {
    const MarginRows& rows = candidates_.all;
    if (has_basis_) {
      rest = Vec::Zero(rows.dim() + 1);
      add(k, 1, rest);
      basis_.project(rest, row);
      work += 4 * static_cast<double>(size()) * rows.row_price();
      return rest.norm();
    }
    row.resize(size());
    for (Index r = 0; r < size(); ++r) row[r] = candidates_.product(k, order_[r]);
    factor_.solve_lower(row);
    return std::sqrt(std::max(0.0, candidates_.product(k, k) - row.squaredNorm()));
  }

  // What rounding leaves of a vector of length zero that is a sum of terms this long together. For
  // kernels it is the squared length that is rounded.
  double noise(double length) const {
    constexpr double rounding = rounding::of(2);
    return length * (candidates_.all.is_kernel() ? std::sqrt(64 * rounding) : 4096 * rounding);
  }

  // |a_k - sum_r x_r a_r|, x improved first.
  double distance_to_span(Index k, Vec& x, double& work) const {
    const MarginRows& rows = candidates_.all;
    Vec w;
    for (int round = 0; round < 3; ++round) {
      w.setZero(rows.dim() + 1);
      add(k, 1, w);
      add(-x, w);
      if (round == 2) break;
      Vec more = dots(w);
      factor_.solve(more);
      x += more;
    }
    work += 5 * static_cast<double>(size()) * rows.row_price();
    return w.norm();
  }

  const Candidates& candidates_;
  bool free_;
  std::vector<Index> order_;  // in the order of the factor
  GrowingCholesky factor_;
  // Of few columns an orthonormal basis of the span: a Gram matrix has half of the digits, and rows
  // that depend on one another need them all.
  bool has_basis_;
  GrowingBasis basis_;
};

}  // namespace dualmargin::hard
