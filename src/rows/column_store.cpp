#include "rows/column_store.h"

#include <algorithm>
#include <utility>

namespace dualmargin {

Columns ColumnStore::view(double bias, Tick tick) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (x_.real == nullptr) convert(tick);
  if (x_.form == MatrixView::Form::rows) transpose(tick);
  if (x_.form == MatrixView::Form::dense) {
    return Columns::dense(x_.real, x_.n, centres_, scales_, bias);
  }
  return Columns::sparse(x_.start, x_.index, x_.real, x_.n, centres_, scales_, bias);
}

void ColumnStore::convert(Tick& tick) {
  std::unique_ptr<double[]> values(new double[x_.stored()]);
  for (Index j = 0; j < x_.p; ++j, tick.look()) {
    std::copy(x_.whole + j * x_.n, x_.whole + (j + 1) * x_.n, values.get() + j * x_.n);
  }
  values_ = std::move(values);
  x_.real = values_.get();
}

void ColumnStore::transpose(Tick& tick) {
  by_columns_ = std::make_unique<Transposed>(x_, ColumnFrame(), tick);
  x_.form = MatrixView::Form::columns;
  x_.real = by_columns_->value.get();
  x_.start = by_columns_->start.data();
  x_.index = by_columns_->index.get();
}

}  // namespace dualmargin
