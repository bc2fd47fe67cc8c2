// A matrix as the user has it: where it lies, and nothing that could change it.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "base/numeric.h"
#include "base/tick.h"
#include "rows/column_frame.h"

namespace dualmargin {

// Of set-up that asks nothing of the user.
Tick silent_tick();

// Dense by columns, of numbers or of whole ones; or compressed columns, or rows, of numbers.
struct MatrixView {
  enum class Form { dense, columns, rows };

  Form form = Form::dense;
  Index n = 0, p = 0;
  const double* real = nullptr;  // null: the values are `whole`
  const int* whole = nullptr;
  const Start* start =
      nullptr;  // of a column, or row, among index and real; the first need not be 0
  const int* index = nullptr;
  std::shared_ptr<const std::vector<Start>> widened;  // what `start` points to, where R has ints

  // One column, of the values of all rows.
  static MatrixView of(const Vec& values);

  Index stored() const {
    return form == Form::dense ? n * p : start[form == Form::rows ? n : p] - start[0];
  }
  template <class F>  // f(values): all that is stored, in its own type
  void with_values(F f) const {
    real != nullptr ? f(real) : f(whole);
  }
  template <class F>  // f(i, x_ij) for what is stored of column j, but of compressed rows
  void column(Index j, F f) const {
    column(j, 0, n, f);
  }
  template <class F>  // of rows begin, ..., end - 1
  void column(Index j, Index begin, Index end, F f) const {
    if (form == Form::dense) {
      with_values([&](const auto* x) {
        for (Index i = begin; i < end; ++i) f(i, static_cast<double>(x[j * n + i]));
      });
    } else {
      const int *first = index + start[j], *last = index + start[j + 1];
      const auto place = [&](Index i) {
        return i == 0 ? first : i == n ? last : std::lower_bound(first, last, i);
      };
      const Start until = place(end) - index;
      for (Start k = place(begin) - index; k < until; ++k) f(Index(index[k]), real[k]);
    }
  }
  template <class F>  // f(j, x_ij) for all that is stored
  void for_each(F f) const {
    if (form == Form::rows) {
      for (Start k = start[0]; k < start[n]; ++k) f(Index(index[k]), real[k]);
    } else {
      for (Index j = 0; j < p; ++j) {
        column(j, [&](Index, double x) { f(j, x); });
      }
    }
  }
};

// Compressed columns by rows, or rows by columns.
struct Transposed {
  std::vector<Start> start;
  std::unique_ptr<int[]> index;
  std::unique_ptr<double[]> value;

  // Counting sort, so that indices ascend. frame: values are as they are read in it.
  explicit Transposed(const MatrixView& x, const ColumnFrame& frame = ColumnFrame(),
                      Tick tick = silent_tick());
};

}  // namespace dualmargin
