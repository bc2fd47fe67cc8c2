// The rows of a kernel fit with their kernel, for what refits many times in one call.
#pragma once

#include <memory>

#include "border/call.h"
#include "border/function_rows.h"
#include "decide/refit_functions.h"

namespace dualmargin::border {

struct KernelRows {
  FitCall call;
  FormulaKernel formula;
  std::shared_ptr<const kernel::Arguments> arguments;
  KernelSize size;
  LossPtr loss;
  kernel::KernelStore store;
  Gram gram;

  // x: the rows as the kernel sees them, which must outlive this
  KernelRows(SEXP x, const Rcpp::List& kernel, const Rcpp::List& problem, const Rcpp::List& refit,
             const Rcpp::List& control, Tick& tick);
  // Products of rows of columns.
  KernelRows(const MatrixView& view, const RowFrame& at, const FittedRows& of, Tick& tick);
  KernelRows(const KernelRows&) = delete;

  region::FunctionSizes sizes() const { return {size, formula.constant}; }
  decide::FunctionRefits refits() const;

 private:
  using Given = FunctionRef<std::shared_ptr<const kernel::Arguments>(const FormulaKernel&, Team&)>;

  KernelRows(FormulaKernel of, Given rows, const Rcpp::List& problem, const Rcpp::List& refit,
             const Rcpp::List& control, Tick& tick);
};

}  // namespace dualmargin::border
