// Where the rows of a problem lie: dense or compressed, in memory or in a file, or a kernel's. What
// passes over all of them is a loop of the storage over a range of its rows, compiled once; what
// stands above it (Rows) knows no more of a storage than this. Methods that draw rows one by one
// keep its type (typed_rows.h).
//
// The bias is a constant coordinate with a run-time value (0: none); no column is ever appended.
#pragma once

#include <memory>
#include <vector>

#include "base/function_ref.h"
#include "base/numeric.h"
#include "base/tick.h"

namespace dualmargin {

class Team;

using MatRef = Eigen::Ref<Mat>;
using ConstMatRef = Eigen::Ref<const Mat>;

// Stored coordinates of a row, one after another: `count` values of columns column[0], ..., or of
// first, first + 1, ... where `column` is null.
struct RowPiece {
  const int* column;
  Index first;
  const double* value;
  Index count;

  template <class F>  // f(j, x_ij)
  void for_each(F f) const {
    if (column == nullptr) {
      for (Index k = 0; k < count; ++k) f(first + k, value[k]);
    } else {
      for (Index k = 0; k < count; ++k) f(Index(column[k]), value[k]);
    }
  }
};

// A pass over rows, and the weights that it multiplies them by. Scales of columns may be divided out
// of the weights before and of the sums behind it (column_frame.h). id: the rows by their numbers in
// the storage; null: begin, ..., end - 1 themselves.
class PassLoops {
 public:
  virtual ~PassLoops() = default;

  // z[k - begin] = x_k'w
  virtual void multiply(const Index* id, Index begin, Index end, double* z) const = 0;
  // sums += c_k x_k, and c_k times the squares of the coordinates, with c_k = coef[k - begin]; rows
  // whose coefficients are zero cost nothing.
  virtual void add(const Index* id, Index begin, Index end, const double* coef,
                   Vec& sums) const = 0;
  virtual void add_squares(const Index* id, Index begin, Index end, const double* coef,
                           Vec& sums) const = 0;
  virtual Vec divided(Vec sums) const = 0;
};

class Storage {
 public:
  Vec shift;  // what Rows are to take from every row (rows.h); empty: nothing

  virtual ~Storage() = default;

  Index n() const { return n_; }
  Index columns() const { return columns_; }  // without the bias
  Index dim() const { return columns_ + (bias_ != 0); }
  double bias() const { return bias_; }
  // Stored coordinates of row i, the bias included.
  Index nonzeros(Index i) const {
    return (start_ == nullptr ? columns_ : start_[i + 1] - start_[i]) + (bias_ != 0);
  }
  // Stored coordinates before row i, their biases included.
  Index place(Index i) const {
    return (start_ == nullptr ? i * columns_ : start_[i] - start_[0]) + i * (bias_ != 0);
  }
  bool is_sparse() const { return start_ != nullptr; }  // is a row a list of some columns?
  virtual bool is_kernel() const { return false; }      // else a row is a list of entries
  virtual bool is_file() const { return false; }        // else in memory

  // One row; w has dim() coordinates.
  virtual double row_dot(Index i, const double* w) const = 0;
  virtual void row_axpy(Index i, double a, double* w) const = 0;  // w += a x_i
  virtual double row_square(Index i) const = 0;                   // |x_i|^2
  // f(piece) for the stored coordinates, the bias last.
  virtual void read_row(Index i, FunctionRef<void(const RowPiece&)> f) const = 0;
  template <class F>  // f(j, x_ij)
  void for_each(Index i, F f) const {
    read_row(i, [&](const RowPiece& piece) { piece.for_each(f); });
  }

  // w: what rows are multiplied by; null where they are only added up. It must outlive the pass.
  virtual std::unique_ptr<PassLoops> pass(const double* w) const = 0;

  // x_r'diag(metric) x_s for the rows named, in the lower triangle; an empty metric is one of ones.
  virtual Mat products(const std::vector<Index>& rows, const Vec& metric, Team& team,
                       Tick& tick) const = 0;

  // Of a kernel: sum_i coef_i x_i for every column, and how many of the additions to a coordinate
  // enter its error.
  virtual Mat combine(const ConstMatRef& coef, Tick& tick) const;
  virtual double additions() const;

 protected:
  // start: of compressed rows among all entries; null: all columns are stored
  Storage(Index n, Index columns, double bias, const Start* start)
      : n_(n), columns_(columns), bias_(bias), start_(start) {}
  Storage(const Storage&) = default;
  Storage& operator=(const Storage&) = default;

  Index n_, columns_;
  double bias_;
  const Start* start_;
};

}  // namespace dualmargin
