// The kernels that are known by a formula: functions of a squared distance or an inner product.
#pragma once

#include <vector>

#include "algebra/function_space.h"
#include "base/numeric.h"
#include "kernel/arguments.h"
#include "rows/matrix_view.h"

namespace dualmargin::kernel {

enum class KernelKind { rbf, laplace, polynomial, linear };

struct KernelFunction {
  KernelKind kind = KernelKind::linear;
  double sigma = 0, degree = 0, scale = 0, offset = 0;

  // A function of |x - x'|^2, or else of x'x'.
  bool isotropic() const { return kind == KernelKind::rbf || kind == KernelKind::laplace; }

  // Affine in x'x': rows with another origin change it by functions of one row alone.
  bool affine() const {
    return kind == KernelKind::linear || (kind == KernelKind::polynomial && degree == 1);
  }

  // From arguments to values; both may be the same place.
  //   rbf  exp(-sigma |x - x'|^2)             polynomial  (scale x'x' + offset)^degree
  //   laplace  exp(-sigma |x - x'|)           linear      x'x'
  template <class Scalar>
  void apply(const Scalar* arguments, Scalar* values, Index n) const;
  template <class Scalar>
  void apply(Scalar* values, Index n) const {
    apply<Scalar>(values, values, n);
  }
};

// How large the values of a kernel known by a formula are and how exact: what a certificate has to
// know of them, see KernelSize in algebra/function_space.h.

// divided: have the rows been divided by the scales of their columns? centred: were column means
// subtracted from them?
KernelSize kernel_size(const Arguments& source, const MixedRows& rows, const KernelFunction& kernel,
                       bool divided, bool centred = false);

// The width of a kernel where none is given, by the median heuristic: the weighted median of the
// squared distances between distinct rows. Up to 2,000 rows all their pairs are taken, of more rows
// those of 2,000, in the order of a hash of their values.

// x: the rows as they were given. 1 where all are equal. A pass that is finished in any case.
double median_squared_distance(const Arguments& distances, const MatrixView& x, const Vec& weights,
                               Tick& tick);

// The values of f = sum_k beta_k k(x_k, .) at other rows: panels of them side by side.

// Of the rows of `arguments` the first `count` are to be scored, of the others f is made, or of the
// mixtures of them that are named, whose arguments are bilinear as in stored_arguments.h. A column
// of beta and of the answer for each function.
Mat expansion(const Arguments& arguments, Index count, const std::vector<Mixture>& mixtures,
              const KernelFunction& kernel, const Mat& beta, Tick& tick);

}  // namespace dualmargin::kernel
