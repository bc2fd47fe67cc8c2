// The kernels that are known by a formula: functions of a squared distance or an inner product.
#pragma once

#include "base/exp.h"
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
  void apply(const Scalar* arguments, Scalar* values, Index n) const {
    using Array = Eigen::Array<Scalar, Eigen::Dynamic, 1>;
    const Eigen::Map<const Array> t(arguments, n);
    Eigen::Map<Array> v(values, n);
    const Scalar s = static_cast<Scalar>(sigma);
    switch (kind) {
      case KernelKind::rbf:
        v = t.max(Scalar(0)) * -s;
        exp_in_place(values, n);
        return;
      case KernelKind::laplace:
        v = t.max(Scalar(0)).sqrt() * -s;
        exp_in_place(values, n);
        return;
      case KernelKind::polynomial:
        v = t * static_cast<Scalar>(scale) + static_cast<Scalar>(offset);
        raise(v);
        return;
      case KernelKind::linear:
        if (values != arguments) v = t;
        return;
    }
  }
  template <class Scalar>
  void apply(Scalar* values, Index n) const {
    apply(values, values, n);
  }

 private:
  // Whole powers by repeated squaring.
  template <class Array>
  void raise(Array& v) const {
    using Scalar = typename Array::Scalar;
    Eigen::Array<Scalar, Eigen::Dynamic, 1> base = v;
    v.setOnes();
    for (long power = static_cast<long>(degree); power > 0; power /= 2) {
      if (power % 2 == 1) v *= base;
      if (power > 1) base = base.square().eval();
    }
  }
};

}  // namespace dualmargin::kernel
