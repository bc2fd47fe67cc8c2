// Kernel matrices across the border: from the user's rows and the description of a kernel to the
// form of its matrix that the memory allows.
#pragma once

#include <functional>

#include "base/function_ref.h"
#include "border/border.h"
#include "border/indefinite.h"
#include "kernel/kernel_store.h"

namespace dualmargin::kernel {

// given: list(name, sigma, degree, scale, offset)
KernelFunction kernel_function(const border::Options& given);

MixedRows mixed_rows(const Rcpp::List& list, Index originals);

// How the user's own rows are scaled. movable: the problem does not change when an affine kernel
// gets another origin, as where the intercept is free and coefficients sum to zero. center: the
// columns' means are subtracted, which isotropic kernels do not see.
struct OwnRows {
  Vec omega;
  bool scale, movable, center = false;
};

// What the rows became. An affine kernel of moved rows x_i - c has another intercept than that of
// the rows themselves; `shift` tells by how much, sum_i beta_i (x_i - c)'c times the kernel's
// scale.
struct RowsOfKernel {
  Vec scales, centre;  // in the unit of the columns; centre: empty where it is not part of the fit
  Vec origin;          // what else was subtracted from them, of no account but for the digits
  double sigma = NA_REAL;
  bool moved = false;
  std::function<double(const Vec& beta)> shift = [](const Vec&) { return 0.0; };
};

// Whether no sum or product of two values can leave the range of double precision.
bool in_range(const KernelSize& size);

// f(arguments, kernel, rows) for a kernel known by a formula, its width chosen where it is not
// given.
using UseArguments =
    FunctionRef<void(const Arguments&, const KernelFunction&, const RowsOfKernel&)>;
void with_arguments(SEXP x, const Rcpp::List& given, const OwnRows& own, const MixedRows& mixed,
                    Team& team, Tick tick, UseArguments f);

// Why there is no fit: `beyond`, what the values of the kernel reach if that is too large to work
// with, or what shows that it is not positive semidefinite.
struct Refused {
  double beyond = 0;
  Indefinite shown;

  explicit operator bool() const { return beyond != 0 || shown; }
  Rcpp::List list() const;
};

// f(store, rows) with the kernel matrix that `given` describes.
Refused with_kernel(SEXP x, const Rcpp::List& given, const OwnRows& own, const MixedRows& mixed,
                    const KernelStore::Budget& budget, Team& team, Tick& tick,
                    FunctionRef<void(const KernelStore&, const RowsOfKernel&)> f);

}  // namespace dualmargin::kernel
