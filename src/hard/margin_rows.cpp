#include "hard/margin_rows.h"

#include <algorithm>
#include <cmath>

namespace dualmargin::hard {

seconds::Table MarginRows::table() const {
  const double rows = static_cast<double>(size()), each = blocks_ == 1 ? 1.0 : 2.0 * others();
  return {rows, static_cast<double>(dim()), each * nonzeros_};
}

void MarginRows::multiply(const Vec& w, Vec& p, Tick& tick) const {
  const Mat z = scores(w, tick);
  p.setZero(size());
  for (Index e = 0; e < size(); ++e) {
    each_block(e, [&](Index i, Index k, double s) { p[e] += s * z(i, k); });
  }
}

Mat MarginRows::coefficients(const Vec& c) const {
  Mat coef = Mat::Zero(n_, blocks_);
  for (Index e = 0; e < size(); ++e) {
    if (c[e] == 0) continue;
    each_block(e, [&](Index i, Index k, double s) { coef(i, k) += c[e] * s; });
  }
  return coef;
}

Vec MarginRows::sizes(const Vec& c) const {
  Vec w = Vec::Zero(dim());
  for (Index e = 0; e < size(); ++e) {
    if (c[e] == 0) continue;
    each_block(e,
               [&](Index i, Index k, double s) { add_sizes(i, std::abs(c[e] * s), w, k); });
  }
  return w;
}

double MarginRows::squared_norm(const Vec& w, const Vec& c) const {
  if (!kernel_) return sum_over(w.size(), [&](Index j) { return w[j] * w[j]; });
  const Mat coef = coefficients(c);
  return sum_over(w.size(), [&](Index i) { return coef.data()[i] * w[i]; });
}

double MarginRows::dot(Index e, const Vec& w) const {
  double sum = 0;
  each_block(e, [&](Index i, Index k, double s) { sum += s * dot(i, w, k); });
  return sum;
}

void MarginRows::add(Index e, double a, Vec& w) const {
  each_block(e, [&](Index i, Index k, double s) { add(i, a * s, w, k); });
}

double MarginRows::lack(const Vec& c) const {
  if (allowance_ == 0) return 0;
  Vec lengths = Vec::Zero(n_);
  for (Index l = 0; l < examples(); ++l) lengths[used_[l]] = norm_ * lengths_[l * others_];
  return std::sqrt(allowance_) * (lengths.asDiagonal() * coefficients(c)).norm();
}

double MarginRows::of_sum(Index count) const {
  const double terms = std::min(static_cast<double>(count), additions_ + others());
  return rounding::of(terms + 8);
}

void MarginRows::gram(Index e, const std::vector<Index>& rows, Vec& out, Tick& tick) const {
  std::vector<Index> needed;
  out.resize(static_cast<Index>(rows.size()));
  for (Index k = 0; k < out.size(); ++k) {
    out[k] = overlap(e, rows[k]);
    if (out[k] != 0) needed.push_back(used_[example(rows[k])]);
  }
  Vec products;
  multiply(used_[example(e)], needed, products, tick);
  for (Index k = 0, at = 0; k < out.size(); ++k) {
    if (out[k] != 0) out[k] *= products[at++];
  }
}

void MarginRows::column(Index e, const Vec& products, Vec& out) const {
  if (blocks_ == 1) {
    out = side_[e] * side_.cwiseProduct(products);
    return;
  }
  out.resize(size());
  const int c = own_[example(e)], j = rival(e);
  for (Index l = 0; l < examples(); ++l) {
    const int d = own_[l];
    const double half = 0.5 * products[l];
    auto rows = out.segment(l * others_, others_);
    rows.setConstant(half * ((c == d) - (j == d)));
    if (c != d) rows[place(l, c)] -= half;
    if (j != d) rows[place(l, j)] += half;
  }
}

Vec MarginRows::column(Index e, Tick& tick) const {
  Vec of_example, out;
  products(example(e), of_example, tick);
  column(e, of_example, out);
  return out;
}

double MarginRows::row_price() const {
  return 1 / static_cast<double>(std::max<Index>(kernel_ ? examples() : size(), 1));
}

MarginRows::MarginRows(const RowSpan& label, const RowSpan& weights, const RowSpan& norms,
                       int classes, Index dim, double nonzeros, bool kernel, double rounding,
                       double additions, double allowance, bool given)
    : n_(label.size()),
      dim_(dim),
      blocks_(classes),
      others_(std::max(classes - 1, 1)),
      kernel_(kernel),
      given_(given),
      nonzeros_(nonzeros),
      rounding_(rounding),
      additions_(additions),
      allowance_(allowance) {
  for (Index i = 0; i < n_; ++i) {
    if (!(weights[i] > 0)) continue;
    used_.push_back(i);
    own_.push_back(static_cast<int>(label[i]) - 1);
    norm_ = std::max(norm_, norms[i]);
  }
  if (norm_ == 0) norm_ = 1;
  scale_ = (classes == 1 ? 1 : std::sqrt(0.5)) / norm_;
  side_.resize(examples());
  lengths_.resize(examples() * others_);
  for (Index i = 0; i < examples(); ++i) {
    side_[i] = label[used_[i]];
    lengths_.segment(i * others_, others_).setConstant(norms[used_[i]] / norm_);
  }
}

double MarginRows::overlap(Index e, Index f) const {
  if (blocks_ == 1) return side_[e] * side_[f];
  const int c = own_[example(e)], d = own_[example(f)], j = rival(e), l = rival(f);
  return 0.5 * ((c == d) - (c == l) - (j == d) + (j == l));
}

int MarginRows::rival(Index e) const {
  const int r = static_cast<int>(e % others_);
  return r < own_[example(e)] ? r : r + 1;
}

ExampleRows::ExampleRows(const Rows& rows, int classes, double of_values, double allowance,
                         bool given)
    : MarginRows(rows.y, rows.weights, rows.lengths(), classes, rows.dim(), rows.nonzeros(),
                 rows.is_kernel(),
                 rows.is_kernel() ? of_values : rounding::of_score(rows.longest_row() + 2),
                 rows.additions(), allowance, given),
      rows_(rows) {}

Mat ExampleRows::scores(const Vec& w, Tick& tick) const {
  const Index k = w.size() / rows_.dim();
  const Eigen::Map<const Mat> blocks(w.data(), rows_.dim(), k);
  return rows_.is_kernel() ? Mat(blocks) : rows_.multiply_all(blocks, tick);
}

Vec ExampleRows::combined(const Mat& coef, Tick& tick) const {
  const Mat w = rows_.transpose_multiply_all(coef, tick);
  return Eigen::Map<const Vec>(w.data(), w.size());
}

double ExampleRows::dot(Index i, const Vec& w, Index k) const {
  return rows_.storage().row_dot(rows_.at(i), block(w, k));
}

void ExampleRows::add(Index i, double a, Vec& w, Index k) const {
  rows_.storage().row_axpy(rows_.at(i), a, w.data() + k * rows_.dim());
}

void ExampleRows::add_sizes(Index i, double a, Vec& w, Index k) const {
  double* block = w.data() + k * rows_.dim();
  rows_.for_each(i, [&](Index j, double v) { block[j] += a * std::abs(v); });
  for (Index j = 0; rows_.shifted && j < rows_.dim(); ++j) block[j] += a * std::abs(rows_.shift[j]);
}

void ExampleRows::multiply(Index i, const std::vector<Index>& some, Vec& out, Tick& tick) const {
  Vec a = Vec::Zero(rows_.dim());
  rows_.axpy(i, 1 / largest_norm(), a);
  out = rows_.multiply(some, a, tick) / largest_norm();
}

}  // namespace dualmargin::hard
