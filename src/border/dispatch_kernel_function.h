// The only place where the name of a kernel becomes a type.
#pragma once

#include <stdexcept>
#include <string>

#include "kernel/kernel_function.h"

namespace dualmargin::kernel {

template <class Option>
KernelFunction kernel_function(const std::string& name, const Option& option) {
  KernelFunction k;
  if (name == "rbf")
    k.kind = KernelKind::rbf;
  else if (name == "laplace")
    k.kind = KernelKind::laplace;
  else if (name == "polynomial")
    k.kind = KernelKind::polynomial;
  else if (name == "linear")
    k.kind = KernelKind::linear;
  else
    throw std::invalid_argument("unknown kernel: " + name);
  k.sigma = option.number("sigma");
  k.degree = option.number("degree");
  k.scale = option.number("scale");
  k.offset = option.number("offset");
  return k;
}

}  // namespace dualmargin::kernel
