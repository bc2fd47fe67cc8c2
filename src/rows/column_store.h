// The columns of a user's matrix, for solvers that ask for them. What lies by columns is used where
// it lies; rows are transposed, whole numbers converted, when a solver asks for the first time and
// not before.
#pragma once

#include <memory>
#include <mutex>

#include "rows/columns.h"
#include "rows/matrix_view.h"

namespace dualmargin {

class ColumnStore {
 public:
  // the matrix, centres and scales must outlive the store
  ColumnStore(const MatrixView& x, const Vec& centres, const Vec& scales)
      : x_(x), centres_(centres), scales_(scales) {}

  Columns view(double bias, Tick tick = silent_tick());

 private:
  void convert(Tick& tick);

  void transpose(Tick& tick);

  std::mutex mutex_;
  MatrixView x_;
  const Vec &centres_, &scales_;
  std::unique_ptr<Transposed> by_columns_;
  std::unique_ptr<double[]> values_;
};

}  // namespace dualmargin
