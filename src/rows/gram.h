// A kernel as the rows of a problem in its function space. The primal vector is that of the scores
// f = K beta of a function f = sum_i beta_i k(x_i, .): dot(i, f) is f_i, and axpy adds a column of
// K. |f|_H^2 = beta'f. A row has no entries, so nothing here sums over columns.
#pragma once

#include <memory>
#include <vector>

#include "base/tick.h"
#include "rows/storage.h"

namespace dualmargin {

// Some rows of a kernel matrix, held for as long as a method works on them.
class KernelBlock {
 public:
  virtual ~KernelBlock() = default;

  // K(rows, rows)
  virtual void square(Mat& out) const = 0;
  // f += K(., rows) coef, a column of both for each function; rows whose coefficients are zero cost
  // nothing
  virtual void add(const ConstMatRef& coef, MatRef f) const = 0;
};

// A symmetric positive semidefinite matrix, stored or computed as it is asked for. One virtual call
// serves a row of n entries or a block of rows.
class KernelMatrix {
 public:
  virtual ~KernelMatrix() = default;

  virtual Index n() const = 0;
  virtual double diagonal(Index i) const = 0;
  virtual std::unique_ptr<KernelBlock> block(const Index* rows, Index count) const = 0;
  // f += a K(i, .)
  virtual void add_row(Index i, double a, Eigen::Ref<Vec> f) const = 0;
  // f += K beta, a column of both for each function, at the cost of the rows whose coefficients are
  // not zero, or less. Summed in blocks of `width` rows, so that of the many additions to a score
  // few enter its error, additions().
  virtual void multiply(const ConstMatRef& beta, MatRef f, Tick& tick) const;
  // K(i, .) without a copy, where it is stored; else null
  virtual const double* stored_row(Index) const { return nullptr; }
  virtual double bytes() const = 0;  // held in memory between calls

  // A term of a score passes those of its block and those of the blocks, the first of which are
  // added to zeros; in no order of n terms more than n - 1 (base/rounding.h).
  virtual double additions() const;

  static constexpr Index width = 64;
};

// bias^2 is added to every entry: the kernel of the rows with a constant coordinate `bias`.
class Gram final : public Storage {
 public:
  explicit Gram(const KernelMatrix& kernel, double bias = 0)
      : Storage(kernel.n(), kernel.n(), 0, nullptr), kernel_(kernel), constant_(bias * bias) {}

  const KernelMatrix& kernel() const { return kernel_; }
  double constant() const { return constant_; }

  bool is_kernel() const override { return true; }
  double row_dot(Index i, const double* f) const override { return f[i]; }
  void row_axpy(Index i, double a, double* f) const override;
  double row_square(Index i) const override { return squared_norm(i); }
  std::unique_ptr<PassLoops> pass(const double* f) const override;
  // (K + constant) beta, a column for each function.
  Mat multiply(const ConstMatRef& beta, Tick& tick) const;
  Mat combine(const ConstMatRef& beta, Tick& tick) const override { return multiply(beta, tick); }
  void axpy(Index i, double a, Eigen::Ref<Vec> f) const { row_axpy(i, a, f.data()); }
  double squared_norm(Index i) const { return kernel_.diagonal(i) + constant_; }
  // Of a score, whichever of its two parts has more.
  double additions() const override;

  // A function of a kernel has no coordinates.
  void read_row(Index, FunctionRef<void(const RowPiece&)>) const override;
  Mat products(const std::vector<Index>&, const Vec&, Team&, Tick&) const override;

 private:
  const KernelMatrix& kernel_;
  double constant_;
};

}  // namespace dualmargin
