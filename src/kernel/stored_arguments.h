// Arguments of a kernel between original rows, or their kernel values, in memory: a symmetric
// array of n^2 numbers, in single or double precision.
#pragma once

#include <memory>

#include "base/function_ref.h"
#include "base/tick.h"
#include "kernel/arguments.h"

namespace dualmargin::kernel {

// Computed once a pair, in double precision; transform(values, length), in place, is what is kept.
// Panels of rows are made side by side; no two write to the same place. Nothing where the time is
// over first.
template <class Scalar>
std::unique_ptr<Scalar[]> square_array(const Arguments& source,
                                       FunctionRef<void(double*, Index)> transform, Tick& tick);

template <class Scalar_>
class StoredArguments {
 public:
  using Scalar = Scalar_;

  Team& team;

  StoredArguments(const Arguments& source, bool distances, Tick& tick);

  bool complete() const { return values_ != nullptr; }
  Index n() const { return n_; }
  double value(Index i, Index j) const { return row(i)[j]; }
  // An original row lies here already. A mixture is bilinear in its two:
  //   x'z       = (1 - s) x_i'z       + s x_j'z
  //   |x - z|^2 = (1 - s) |x_i - z|^2 + s |x_j - z|^2 - s (1 - s) |x_i - x_j|^2
  void rows(const Mixture* rows, Index count, Index from, ArgumentRows<Scalar>& out) const;
  double bytes() const { return sizeof(Scalar) * static_cast<double>(n_) * n_; }

 private:
  const Scalar* row(Index i) const { return values_.get() + i * n_; }

  Index n_;
  bool distances_;
  std::unique_ptr<Scalar[]> values_;
};

}  // namespace dualmargin::kernel
