// What the kernels known by a formula are functions of, between original rows or mixtures of them:
// inner products or squared distances, computed from the rows as they are asked for.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "base/team.h"
#include "rows/storage.h"

namespace dualmargin::kernel {

// Rows that are mixtures of two original ones: x = (1 - s) x_i + s x_j. The original rows come
// first, as mixtures of themselves.
struct Mixture {
  Index first, second;
  double share;
};

struct MixedRows {
  Index originals = 0;
  std::vector<Index> first, second;  // of the mixed rows alone
  std::vector<double> share;

  Index n() const { return originals + mixed(); }
  Index mixed() const { return static_cast<Index>(first.size()); }
  bool is_mixed(Index i) const { return i >= originals; }
  Mixture operator[](Index i) const {
    if (!is_mixed(i)) return {i, i, 0};
    const Index k = i - originals;
    return {first[k], second[k], share[k]};
  }
};

// Arguments of some rows with the original rows from a given one on: places where they lie.
template <class Scalar>
struct ArgumentRows {
  std::vector<const Scalar*> row;
  Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic> own;  // what lies nowhere else
};

class Arguments {
 public:
  using Scalar = double;

  explicit Arguments(Team& team_) : team(team_) {}
  virtual ~Arguments() = default;

  Team& team;

  virtual Index n() const = 0;  // original rows
  virtual double squared_norm(Index i) const = 0;
  // The length that rounding errors of inner products are relative to: |x_i|, or more where the
  // rows are moved at run time.
  virtual double reach(Index i) const { return std::sqrt(squared_norm(i)); }
  virtual double entries(Index i) const = 0;
  virtual double value(Index i, Index j) const = 0;
  // Column k of out: the arguments of rows[k] with the original rows from `from` on.
  virtual void columns(const Mixture* rows, Index count, Index from, double* out) const = 0;

  void rows(const Mixture* rows, Index count, Index from, ArgumentRows<double>& out) const;
  double bytes() const { return 0; }
};

// Of the rows of a matrix in memory without a bias, which must outlive them; origin: what is to be
// subtracted from all rows beside, or nothing.
std::unique_ptr<Arguments> computed_arguments(const Storage& x, bool distances, Team& team,
                                              const Vec& origin = Vec());

// How small |x - y|^2 may be beside |x|^2 + |y|^2 before it is computed by differences: what is
// left of the difference |x|^2 + |y|^2 - 2 x'y has lost the same factor of its digits.
constexpr double least_distance = 1.0 / 64;

}  // namespace dualmargin::kernel
