// The mean of the losses over the perturbations, where it is known in closed form.
#pragma once

#include <functional>

#include "core/numeric.h"

namespace dualmargin {

// value(w, gradient): (1/W) sum_i omega_i E phi(w'(rho x_i); y_i), and its gradient.
using Expectation = std::function<double(const Vec& w, Vec& gradient)>;

}  // namespace dualmargin
