#include "hard/nonnegative.h"

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
  constexpr double cancelled = 1e-8;  // of a square: half of its digits are gone
  if (!(distance * distance > cancelled * candidates_.product(k, k))) {
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

NonNegativeSolver::NonNegativeSolver(const HardMargin& problem, Tick& tick)
    : candidates_(problem),
      rows_(problem.rows),
      tick_(tick),
      free_(problem.free_intercept),
      support_(candidates_, problem.free_intercept) {}

void NonNegativeSolver::add(Index e, double weight) {
  candidates_.add(e, tick_);
  weight_.conservativeResize(candidates_.size());
  weight_[candidates_.size() - 1] = weight;
  passive_.push_back(false);
  blocked_.push_back(false);
  work_ += rows_.row_price();
}

void NonNegativeSolver::solve() {
  if (support() == 0 && !begin()) return;
  // differs: several rows enter at a time, and one alone after all of them left at once
  Index most = several;
  for (Index guard = 0; guard < 20 * (candidates_.size() + 10); ++guard) {
    if (!tick_.poll()) break;  // weights are not negative wherever it stops
    const std::vector<Index> in = most_violated(most);
    if (in.empty()) break;
    for (const Index k : in) {
      if (!enter(k)) return;
    }
    move_to_solution();
    if (std::any_of(in.begin(), in.end(), [&](Index k) { return passive_[k]; })) {
      std::fill(blocked_.begin(), blocked_.end(), false);
      most = several;
    } else {
      // what leaves alone waits until others have moved
      if (in.size() == 1) blocked_[in[0]] = true;
      most = 1;
    }
  }
  refine();
}

Vec NonNegativeSolver::weights_of_support() const {
  Vec a(support());
  for (Index r = 0; r < support(); ++r) a[r] = weight_[support_[r]];
  return a;
}

void NonNegativeSolver::set_weights(const Vec& of_support) {
  for (Index r = 0; r < support(); ++r) weight_[support_[r]] = of_support[r];
}

std::vector<Index> NonNegativeSolver::most_violated(Index count) const {
  const Index n = candidates_.size();
  Vec slack = Vec::Ones(n) - b_ * candidates_.sides();
  for (Index r = 0; r < support(); ++r) {
    slack -= weight_[support_[r]] * candidates_.products(support_[r]);
  }
  const double total = weight_.sum();  // others have none
  const double limit = rounding::of_many + 4 * rounding * total;
  std::vector<Index> in;
  for (Index k = 0; k < n; ++k) {
    if (!passive_[k] && !blocked_[k] && slack[k] > limit) in.push_back(k);
  }
  const Index size = std::min(count, static_cast<Index>(in.size()));
  std::partial_sort(in.begin(), in.begin() + size, in.end(), [&](Index k, Index l) {
    return slack[k] > slack[l] || (slack[k] == slack[l] && k < l);
  });
  in.resize(size);
  return in;
}

bool NonNegativeSolver::begin() {
  for (Index k = 0; k < candidates_.size() && tick_.poll(); ++k) {
    if (weight_[k] > 0 && !enter(k)) return false;
  }
  if (free_ && support() == 0) {
    Index plus = -1, minus = -1;
    for (Index k = candidates_.size() - 1; k >= 0; --k) {
      (candidates_.side(k) > 0 ? plus : minus) = k;
    }
    if (plus < 0 || minus < 0 || !enter(plus) || !enter(minus)) return false;
  }
  move_to_solution();
  return true;
}

void NonNegativeSolver::drop(Index at) {
  weight_[support_[at]] = 0;
  passive_[support_[at]] = false;
  support_.remove(at);
}

bool NonNegativeSolver::enter(Index k) {
  Vec x;
  for (;;) {
    passive_[k] = support_.append(k, x, work_);
    if (passive_[k]) return true;
    // a_k = sum_r x_r a_r: along (1, -x) nothing changes but 1'a
    constexpr double share = 1e-10;  // a smaller one may be a zero, and would take too long a step
    const double positive = share * (1 + x.lpNorm<Eigen::Infinity>());
    double step = HUGE_VAL;
    Index leaves = -1;
    for (Index r = 0; r < support(); ++r) {
      if (!(x[r] > positive) || !(weight_[support_[r]] < step * x[r])) continue;
      step = weight_[support_[r]] / x[r];
      leaves = r;
    }
    if (leaves < 0) {
      null_ = Vec::Zero(candidates_.size());
      null_[k] = 1;
      for (Index r = 0; r < support(); ++r) null_[support_[r]] = std::max(0.0, -x[r]);
      return false;
    }
    set_weights(weights_of_support() - step * x);
    weight_[k] += step;
    drop(leaves);
  }
}

void NonNegativeSolver::move_to_solution() {
  while (support() > 0 && tick_.poll()) {
    Vec x = Vec::Ones(support());
    support_.solve(x, 0, b_);
    const Vec a = weights_of_support();
    double step = 1;
    Index leaves = -1;
    for (Index r = 0; r < support(); ++r) {
      if (x[r] > 0) continue;
      const double reach = a[r] > 0 ? a[r] / (a[r] - x[r]) : 0.0;
      if (reach < step || leaves < 0) {
        step = reach;
        leaves = r;
      }
    }
    set_weights(leaves < 0 ? x : Vec((a + step * (x - a)).cwiseMax(0)));
    if (leaves < 0) return;
    drop(leaves);
  }
}

void NonNegativeSolver::refine() {
  if (rows_.is_kernel() || support() == 0) return;
  for (int round = 0; round < 2; ++round) {
    Vec w = Vec::Zero(rows_.dim() + 1);
    support_.add(weights_of_support(), w);
    double &constant = w[rows_.dim()], b = 0;
    const double total = constant;
    constant += b_;
    Vec more = (1 - support_.dots(w).array()).matrix();
    support_.solve(more, -total, b);
    const Vec next = weights_of_support() + more;
    if (!(next.minCoeff() > 0)) return;
    set_weights(next);
    b_ += b;
    work_ += 2 * static_cast<double>(support()) * rows_.row_price();
  }
}

}  // namespace dualmargin::hard
