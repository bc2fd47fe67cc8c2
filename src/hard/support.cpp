#include "hard/support.h"

#include <algorithm>
#include <cmath>

#include "base/rounding.h"
#include "hard/cost_model.h"

namespace dualmargin::hard {

void Candidates::add(Index e, Tick& tick) {
  const Index k = size();
  rows_.push_back(e);
  Vec products;
  all.gram(e, rows_, products, tick);
  if (gram_.rows() <= k) gram_.conservativeResize(2 * k + 16, 2 * k + 16);
  gram_.col(k).head(k + 1) = products;
  gram_.row(k).head(k) = products.head(k).transpose();
  side_.conservativeResize(k + 1);
  side_[k] = free_ ? all.side(e) : 0;
}

Vec Candidates::spread(const Vec& v) const {
  Vec values = Vec::Zero(all.size());
  for (Index k = 0; k < v.size(); ++k) values[rows_[k]] = v[k];
  return values;
}

void GrowingBasis::project(Vec& v, Vec& row) const {
  row = Vec::Zero(m_);
  for (int round = 0; round < 2; ++round) {
    const Vec part = Q_.leftCols(m_).transpose() * v;
    v -= Q_.leftCols(m_) * part;
    row += part;
  }
}

void GrowingBasis::append(const Vec& unit) {
  if (m_ == Q_.cols()) Q_.conservativeResize(Eigen::NoChange, 2 * m_);
  Q_.col(m_++) = unit;
}

void GrowingBasis::turn(Index j, double c, double s) {
  const Vec x = Q_.col(j);
  Q_.col(j) = c * x + s * Q_.col(j + 1);
  Q_.col(j + 1) = c * Q_.col(j + 1) - s * x;
}

Support::Support(const Candidates& candidates, bool free_intercept)
    : candidates_(candidates),
      free_(free_intercept),
      has_basis_(!candidates.all.is_kernel() &&
                 candidates.all.dim() <= CostModel::most_columns_of_basis),
      basis_(has_basis_ ? candidates.all.dim() + 1 : 0) {}

void Support::add(const Vec& x, Vec& w) const {
  for (Index r = 0; r < size(); ++r) add(order_[r], x[r], w);
}

Vec Support::dots(const Vec& w) const {
  const MarginRows& rows = candidates_.all;
  Vec of(size());
  for (Index r = 0; r < size(); ++r) of[r] = rows.dot(row(r), w) + side(r) * w[rows.dim()];
  return of;
}

void Support::remove(Index at) {
  factor_.remove(at, [&](Index j, double c, double s) {
    if (has_basis_) basis_.turn(j, c, s);
  });
  if (has_basis_) basis_.remove_last();
  order_.erase(order_.begin() + at);
}

bool Support::append(Index k, Vec& x, double& work) {
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

void Support::solve(Vec& x, double total, double& y) const {
  x = factor_.solve(x);
  y = 0;
  if (!free_) return;
  Vec s(size());
  for (Index r = 0; r < size(); ++r) s[r] = side(r);
  const Vec z = factor_.solve(s);
  y = (s.dot(x) - total) / s.dot(z);
  x -= y * z;
}

void Support::add(Index k, double a, Vec& w) const {
  candidates_.all.add(candidates_.row(k), a, w);
  w[candidates_.all.dim()] += a * candidates_.side(k);
}

double Support::project(Index k, Vec& row, Vec& rest, double& work) const {
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

double Support::noise(double length) const {
  constexpr double rounding = rounding::of(2);
  return length * (candidates_.all.is_kernel() ? std::sqrt(64 * rounding) : 4096 * rounding);
}

double Support::distance_to_span(Index k, Vec& x, double& work) const {
  const MarginRows& rows = candidates_.all;
  Vec w;
  for (int round = 0; round < 3; ++round) {
    w.setZero(rows.dim() + 1);
    add(k, 1, w);
    add(-x, w);
    if (round == 2) break;
    x += factor_.solve(dots(w));
  }
  work += 5 * static_cast<double>(size()) * rows.row_price();
  return w.norm();
}

}  // namespace dualmargin::hard
