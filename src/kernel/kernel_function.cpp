#include "kernel/kernel_function.h"

#include "base/exp.h"

namespace dualmargin::kernel {

namespace {

// Whole powers by repeated squaring.
template <class Array>
void raise(Array& v, double degree) {
  using Scalar = typename Array::Scalar;
  Eigen::Array<Scalar, Eigen::Dynamic, 1> base = v;
  v.setOnes();
  for (long power = static_cast<long>(degree); power > 0; power /= 2) {
    if (power % 2 == 1) v *= base;
    if (power > 1) base = base.square().eval();
  }
}

}  // namespace

template <class Scalar>
void KernelFunction::apply(const Scalar* arguments, Scalar* values, Index n) const {
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
      raise(v, degree);
      return;
    case KernelKind::linear:
      if (values != arguments) v = t;
      return;
  }
}

template void KernelFunction::apply(const float*, float*, Index) const;
template void KernelFunction::apply(const double*, double*, Index) const;

}  // namespace dualmargin::kernel
