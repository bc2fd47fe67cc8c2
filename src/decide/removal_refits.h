// The optimum without some rows where no steps are to be had: refits in which they have no weight,
// warm and tighter until the rows that left are decided.
#pragma once

#include <functional>
#include <utility>

#include "base/function_ref.h"
#include "decide/refit.h"
#include "decide/without_rows.h"

namespace dualmargin::decide {

class Refits {
 public:
  Refits(const Fitted& fit, Refit solve, std::function<Columns()> columns)
      : fit_(fit), solve_(std::move(solve)), columns_(std::move(columns)) {}

  // see(w, b, a): whether to go on
  void solve(const WithoutRows& less,
             FunctionRef<bool(const Vec& w, double b, const RowVec& a)> see, Tick& tick) const;

 private:
  const Fitted& fit_;
  Refit solve_;
  std::function<Columns()> columns_;
};

}  // namespace dualmargin::decide
