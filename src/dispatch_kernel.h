// The only place where a name of the kernel family becomes a type.
#pragma once

#include <stdexcept>
#include <string>

#include "core/sampler.h"
#include "kernel/auto.h"
#include "kernel/kernel_function.h"
#include "linear/sdca.h"
#include "loss/hinge.h"
#include "loss/huber.h"
#include "loss/smooth_hinge.h"
#include "loss/squared.h"
#include "loss/squared_hinge.h"

namespace dualmargin {

// A loss of soft labels, or, for a regression, of a numeric response.
inline AnyLoss any_loss(const std::string& name, double parameter, bool regression) {
  if (regression && name == "squared") return AnyLoss::of(Residual<Squared>(Squared()));
  if (regression && name == "huber") return AnyLoss::of(Residual<Huber>(Huber(parameter)));
  if (name == "hinge") return AnyLoss::of(Soft<Hinge>(Hinge()));
  if (name == "smooth_hinge") return AnyLoss::of(Soft<SmoothHinge>(SmoothHinge(parameter)));
  if (name == "squared_hinge") return AnyLoss::of(Soft<SquaredHinge>(SquaredHinge(parameter)));
  if (name == "logistic") return AnyLoss::of(Soft<Logistic>(Logistic()));
  if (name == "squared") return AnyLoss::of(Soft<Squared>(Squared()));
  if (name == "huber") return AnyLoss::of(Soft<Huber>(Huber(parameter)));
  throw std::invalid_argument("unknown loss: " + name);
}

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

// `option` reads an option by name; the registry on the R side fills in every default.
template <class Option>
Solution solve_kernel(const std::string& solver, const KernelErm& problem, const Option& option,
                      const Solution& start, Sampler& sampler, Monitor& monitor) {
  if (solver == "auto") {
    return automatic(problem, start, sampler, monitor);
  }
  if (solver == "newton") return newton(problem, start, monitor);
  if (solver == "block_sdca") {
    const BlockSdcaOptions options{static_cast<Index>(option.number("block")),
                                   static_cast<int>(option.number("inner_passes")),
                                   static_cast<Index>(option.number("memory"))};
    return block_sdca(problem, options, start, sampler, monitor);
  }
  if (solver == "sdca") {
    const SdcaOptions options{option.text("sampling") == "permutation"};
    return sdca(problem, options, start, sampler, monitor);
  }
  throw std::invalid_argument("unknown solver: " + solver);
}

}  // namespace dualmargin
