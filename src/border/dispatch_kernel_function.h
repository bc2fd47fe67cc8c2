// The only place where the name of a kernel becomes a type.
#pragma once

#include <string>

#include "border/names.h"
#include "kernel/kernel_function.h"

namespace dualmargin::kernel {

template <class Option>
KernelFunction kernel_function(const std::string& name, const Option& option) {
  KernelFunction k;
  k.kind = border::named<KernelKind>("kernel", name,
                                     {{"rbf", KernelKind::rbf},
                                      {"laplace", KernelKind::laplace},
                                      {"polynomial", KernelKind::polynomial},
                                      {"linear", KernelKind::linear}});
  k.sigma = option.number("sigma");
  k.degree = option.number("degree");
  k.scale = option.number("scale");
  k.offset = option.number("offset");
  return k;
}

}  // namespace dualmargin::kernel
