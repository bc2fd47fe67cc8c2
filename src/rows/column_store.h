// The columns of a user's matrix, for solvers that ask for them. What lies by columns is used where
// it lies; rows are transposed, whole numbers converted, when a solver asks for the first time and
// not before.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "rows/columns.h"
#include "rows/matrix_view.h"

namespace dualmargin {

class ColumnStore {
 public:
  // the matrix, centres and scales must outlive the store
  ColumnStore(const MatrixView& x, const Vec& centres, const Vec& scales)
      : x_(x), centres_(centres), scales_(scales) {}

  Columns view(double bias, Tick tick = silent_tick()) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (x_.real == nullptr) convert(tick);
    if (x_.form == MatrixView::Form::rows) transpose(tick);
    if (x_.form == MatrixView::Form::dense) {
      return Columns::dense(x_.real, x_.n, centres_, scales_, bias);
    }
    return Columns::sparse(x_.start, x_.index, x_.real, x_.n, centres_, scales_, bias);
  }

 private:
  void convert(Tick& tick) {
    std::unique_ptr<double[]> values(new double[x_.stored()]);
    for (Index j = 0; j < x_.p; ++j, tick.look()) {
      std::copy(x_.whole + j * x_.n, x_.whole + (j + 1) * x_.n, values.get() + j * x_.n);
    }
    values_ = std::move(values);
    x_.real = values_.get();
  }

  void transpose(Tick& tick) {
    by_columns_ = std::make_unique<Transposed>(
        x_, [](Index, double v) { return v; }, tick);
    x_.form = MatrixView::Form::columns;
    x_.real = by_columns_->value.get();
    x_.start = by_columns_->start.data();
    x_.index = by_columns_->index.get();
  }

  std::mutex mutex_;
  MatrixView x_;
  const Vec &centres_, &scales_;
  std::unique_ptr<Transposed> by_columns_;
  std::unique_ptr<double[]> values_;
};

}  // namespace dualmargin
