// Some rows of a margin problem with their Gram matrix, and their sides where the intercept is
// free.
#pragma once

#include <vector>

#include "hard/hard_margin.h"

namespace dualmargin::hard {

class Candidates {
 public:
  explicit Candidates(const HardMargin& problem)
      : all(problem.rows), free_(problem.free_intercept) {}

  const MarginRows& all;

  Index size() const { return static_cast<Index>(rows_.size()); }
  Index row(Index k) const { return rows_[k]; }
  double side(Index k) const { return side_[k]; }
  const Vec& sides() const { return side_; }

  void add(Index e, Tick& tick) {
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

  // a_k'a_l, with the constant coordinate
  double product(Index k, Index l) const { return gram_(l, k) + side_[k] * side_[l]; }
  // a_k'a_l for all k, without it
  auto products(Index l) const { return gram_.col(l).head(size()); }

  // Values of the candidates as values of all rows.
  Vec spread(const Vec& v) const {
    Vec values = Vec::Zero(all.size());
    for (Index k = 0; k < v.size(); ++k) values[rows_[k]] = v[k];
    return values;
  }

 private:
  bool free_;
  std::vector<Index> rows_;
  Mat gram_;
  Vec side_;
};

}  // namespace dualmargin::hard
