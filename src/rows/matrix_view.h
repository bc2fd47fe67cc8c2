// A matrix as the user has it: where it lies, and nothing that could change it.
#pragma once

#include <memory>
#include <vector>

#include "base/numeric.h"
#include "rows/column_scale.h"

namespace dualmargin {

// Dense by columns, of numbers or of whole ones; or compressed columns, or rows, of numbers.
struct MatrixView {
  enum class Form { dense, columns, rows };

  Form form = Form::dense;
  Index n = 0, p = 0;
  const double* real = nullptr;  // null: the values are `whole`
  const int* whole = nullptr;
  const Start* start = nullptr;  // of a column, or row, among index and real; the first need not be 0
  const int* index = nullptr;
  std::shared_ptr<const std::vector<Start>> widened;  // what `start` points to, where R has ints

  Index stored() const {
    return form == Form::dense ? n * p : start[form == Form::rows ? n : p] - start[0];
  }
  template <class F>  // f(values): all that is stored, in its own type
  void with_values(F f) const {
    real != nullptr ? f(real) : f(whole);
  }
  template <class F>  // f(i, x_ij) for what is stored of column j, but of compressed rows
  void column(Index j, F f) const {
    if (form == Form::dense) {
      with_values([&](const auto* x) {
        for (Index i = 0; i < n; ++i) f(i, static_cast<double>(x[j * n + i]));
      });
    } else {
      for (Start k = start[j]; k < start[j + 1]; ++k) f(Index(index[k]), real[k]);
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

  // Counting sort, so that indices ascend. moved(j, v): what becomes of the value v of column j.
  template <class Moved>
  Transposed(const MatrixView& x, Moved moved)
      : start((x.form == MatrixView::Form::rows ? x.p : x.n) + 1, 0),
        index(new int[x.stored()]),  // without a first pass that sets zeros
        value(new double[x.stored()]) {
    const bool rows = x.form == MatrixView::Form::rows;
    const Index sources = rows ? x.n : x.p;
    for (Start k = x.start[0]; k < x.start[sources]; ++k) ++start[x.index[k] + 1];
    for (std::size_t r = 1; r < start.size(); ++r) start[r] += start[r - 1];
    std::vector<Start> next(start.begin(), start.end() - 1);
    for (int from = 0; from < sources; ++from) {
      for (Start k = x.start[from]; k < x.start[from + 1]; ++k) {
        const Start at = next[x.index[k]]++;
        index[at] = from;
        value[at] = moved(rows ? x.index[k] : from, x.real[k]);
      }
    }
  }
};

// f(j, spread) for all columns: the one definition of their means and scales.
template <class F>
void for_each_spread(const MatrixView& x, const Vec& weights, F f) {
  const double total = weights.sum();
  if (x.form != MatrixView::Form::rows) {
    for (Index j = 0; j < x.p; ++j) {
      f(j, column_spread(weights, total, [&](auto g) { x.column(j, g); }));
    }
    return;
  }
  // column_spread() of all columns at once
  std::vector<ColumnSpread> spread(x.p);
  const auto each = [&](auto g) {
    for (Index i = 0; i < x.n; ++i) {
      for (Start k = x.start[i]; k < x.start[i + 1]; ++k)
        g(spread[x.index[k]], weights[i], x.real[k]);
    }
  };
  each([](ColumnSpread& s, double weight, double v) { s.add(weight, v); });
  for (ColumnSpread& s : spread) s.find_mean(x.n, total);
  each([](ColumnSpread& s, double weight, double v) { s.deviate(weight, v); });
  for (Index j = 0; j < x.p; ++j) {
    spread[j].find_sd();
    f(j, spread[j]);
  }
}

}  // namespace dualmargin
