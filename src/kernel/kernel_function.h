// The kernels that are known by a formula: functions of a squared distance or an inner product.
#pragma once

#include "base/numeric.h"

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

}  // namespace dualmargin::kernel
