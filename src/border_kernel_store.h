// Kernel matrices across the border: from the user's rows and the description of a kernel to the
// form of its matrix that the memory allows.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "border.h"
#include "dispatch_kernel_function.h"
#include "kernel/kernel_store.h"
#include "kernel/path_scale.h"

namespace dualmargin {
namespace border {

// How the user's own rows are scaled. moved: where the problem does not change when a function of
// x'x' gets another origin, what was taken from the columns for it goes there.
struct OwnRows {
  Vec omega;
  bool scale;
  Vec* moved = nullptr;
};

// f(rows, count, out) by an R function of row numbers that returns an n x count matrix.
inline EvaluateKernel evaluated_by(const Rcpp::Function& in_r, Index n) {
  return [in_r, n](const Index* rows, Index count, double* out) {
    Rcpp::IntegerVector places(count);
    for (Index k = 0; k < count; ++k) places[k] = static_cast<int>(rows[k]) + 1;
    const Rcpp::NumericMatrix values = in_r(places);
    std::copy(values.begin(), values.begin() + n * count, out);
  };
}

// f(arguments, kernel, scales) for a kernel known by a formula, its width chosen where it is not
// given.
template <class F>
void with_arguments(SEXP x, const Rcpp::List& given, const OwnRows& own, F f) {
  const Options of_kernel(given);
  KernelFunction kernel = kernel_function(of_kernel.text("name"), of_kernel);
  const bool moved = own.moved != nullptr && kernel.affine();
  const Rows rows(x, own.omega, own.scale, kernel.isotropic() || moved);
  if (moved) {
    *own.moved = rows.centre();
    kernel.offset = 0;  // as any constant that is added, it only hides the digits of the rest
  }
  rows.visit(0, [&](const auto& data) {
    const ComputedArguments arguments(data, kernel.isotropic());
    if (kernel.isotropic() && std::isnan(kernel.sigma)) {
      const double median = median_squared_distance(arguments);
      kernel.sigma = kernel.kind == KernelKind::rbf ? 1 / median : 1 / std::sqrt(median);
    }
    f(arguments, kernel, rows.scales());
    return 0;
  });
}

// f(store, sigma, scales) with the kernel matrix that `given` describes.
template <class F>
void with_kernel(SEXP x, const Rcpp::List& given, const OwnRows& own, const MixedRows& mixed,
                 const KernelStore::Budget& budget, Monitor& monitor, F f) {
  const std::string name = Options(given).text("name");
  if (name == "precomputed") {
    const Rcpp::NumericMatrix values(x);
    return f(KernelStore(values.begin(), values.nrow()), NA_REAL, Vec());
  }
  if (name == "evaluated") {
    const Vec diagonal = vec(given["diagonal"]);
    const EvaluateKernel evaluate = evaluated_by(given["evaluate"], diagonal.size());
    return f(KernelStore(evaluate, diagonal, budget, monitor), NA_REAL, Vec());
  }
  with_arguments(x, given, own,
                 [&](const Arguments& arguments, const KernelFunction& kernel, const Vec& scales) {
                   f(KernelStore(arguments, mixed, kernel, budget, monitor), kernel.sigma, scales);
                 });
}

}  // namespace border
}  // namespace dualmargin
