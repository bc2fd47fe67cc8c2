// Kernel fits that are asked for their optimum, across the border: rows as the kernel sees them, which
// R has scaled and moved as for a prediction, and regions of functions, which are kept by their
// support vectors.
#pragma once

#include <memory>
#include <vector>

#include "border/decide.h"
#include "kernel/kernel_store.h"
#include "region/of_kernel.h"

namespace dualmargin::border {

// name, sigma, degree, scale, offset; rest: what is to be subtracted from all rows beside, or
// nothing; constant: of a penalised intercept; divided, centred: were the rows?
struct FormulaKernel {
  kernel::KernelFunction function;
  Vec rest;
  double constant, bytes;
  bool divided, centred;

  explicit FormulaKernel(const Rcpp::List& given);
  // Products of rows in a frame.
  FormulaKernel(const RowFrame& at, bool dense, double bytes);

  // The arguments of the rows x, with the rows, which lie in x or in a copy.
  std::shared_ptr<const kernel::Arguments> kept_arguments(SEXP x, Team& team) const;
  std::shared_ptr<const kernel::Arguments> kept_arguments(const MatrixView& view,
                                                          const RowFrame& at, Team& team) const;
  template <class F>  // f(them)
  auto arguments(SEXP x, Team& team, F f) const {
    return f(*kept_arguments(x, team));
  }
  KernelSize size(const kernel::Arguments& arguments) const;
  // The kernel of all rows. few: will some of its rows be enough?
  kernel::KernelStore store(const kernel::Arguments& arguments, const KernelSize& size, bool few,
                            Tick& tick) const;
  // k(x_i, .) at the rows from a given one on
  Vec values(const kernel::Arguments& arguments, Index i, Index from) const;
};

// At some points alone, at which all coefficients are that are not 0.
Rcpp::List as_list(const region::Function& f, const std::vector<Index>& at);
region::Function as_function(const Rcpp::List& list, Index points);

// rows: of the problem, moved to their centre, and as they are. scores, lost: of these at the centre
// of the ball.
Rcpp::List as_list(const region::FunctionRegion& r, const region::FunctionRows& rows,
                   const region::FunctionRows& plain, const std::vector<Index>& at);
region::FunctionRegion as_function_region(const Rcpp::List& list, Index points);

}  // namespace dualmargin::border
