// Functions of the space of a kernel evaluated at the rows they are made of.
#pragma once

#include <vector>

#include "core/monitor.h"
#include "data/gram.h"

namespace dualmargin {

// (K + constant) beta, a column for each function; K a block of rows at a time.
inline Mat expansion(const KernelMatrix& kernel, double constant, const ConstMatRef& beta,
                     Monitor& monitor) {
  constexpr Index width = 64;
  Mat f = Mat::Zero(kernel.n(), beta.cols()), coef(width, beta.cols());
  std::vector<Index> rows;
  const auto flush = [&] {
    if (rows.empty()) return;
    const Index count = static_cast<Index>(rows.size());
    kernel.block(rows.data(), count)->add(coef.topRows(count), f);
    rows.clear();
    monitor.tick();
  };
  for (Index i = 0; i < kernel.n(); ++i) {
    if (beta.row(i).isZero(0)) continue;
    coef.row(static_cast<Index>(rows.size())) = beta.row(i);
    rows.push_back(i);
    if (static_cast<Index>(rows.size()) == width) flush();
  }
  flush();
  if (constant != 0) f.rowwise() += constant * beta.colwise().sum();
  return f;
}

}  // namespace dualmargin
