#include "rows/matrix_view.h"

namespace dualmargin {

Tick silent_tick() {
  return Tick([] {}, Tick::Clock::now(), HUGE_VAL);
}

MatrixView MatrixView::of(const Vec& values) {
  MatrixView x;
  x.n = values.size();
  x.p = 1;
  x.real = values.data();
  return x;
}

Transposed::Transposed(const MatrixView& x, const ColumnFrame& frame, Tick tick)
    : start((x.form == MatrixView::Form::rows ? x.p : x.n) + 1, 0),
      index(new int[x.stored()]),  // without a first pass that sets zeros
      value(new double[x.stored()]) {
  const bool rows = x.form == MatrixView::Form::rows;
  const Index sources = rows ? x.n : x.p;
  for (Start k = x.start[0]; k < x.start[sources]; ++k) {
    ++start[x.index[k] + 1];
    tick.row(k);
  }
  for (std::size_t r = 1; r < start.size(); ++r) start[r] += start[r - 1];
  std::vector<Start> next(start.begin(), start.end() - 1);
  for (int from = 0; from < sources; ++from) {
    for (Start k = x.start[from]; k < x.start[from + 1]; ++k) {
      const Start at = next[x.index[k]]++;
      index[at] = from;
      value[at] = frame.of(rows ? x.index[k] : from, x.real[k]);
      tick.row(k);
    }
  }
}

}  // namespace dualmargin
