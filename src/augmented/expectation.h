// The mean of the losses over the perturbations, where it is known in closed form.
#pragma once

#include <functional>

#include "augmented/gaussian_loss.h"
#include "augmented/perturbation.h"
#include "loss/any_loss.h"
#include "rows/rows.h"

namespace dualmargin::augmented {

// value(w, gradient, tick): (1/W) sum_i omega_i E phi(w'(rho x_i); y_i), and its gradient. The
// makers below copy `rows`. Rows of weight zero are not there.
using Expectation = std::function<double(const Vec& w, Vec& gradient, Tick& tick)>;

// No perturbation.
Expectation plain_expectation(const Rows& rows, const AnyLoss& loss);

// The squared loss under independent noise: E xi = x and E xi_j^2 = a x_j^2 + b, so
//
//   E (w'xi - y)^2 / 2 = (w'x - y)^2 / 2 + sum_j v_j w_j^2 / 2,   v_j = (a - 1) x_j^2 + b,
//
// and of the v only their mean over the rows is needed.
Expectation squared_expectation(const Rows& rows, const AnyLoss& loss, const Moments& noise,
                                Tick& tick);

// Normal noise of the given variance on every coordinate but the bias, of which u is the rest of w:
// the score is normal with the standard deviation tau = sd |u|, and by Stein's lemma
//
//   grad_u E phi = E phi' x + sd^2 E phi'' u.
//
// `law`: the means of the loss, see gaussian_loss.h.
Expectation normal_expectation(const Rows& rows, const AnyLoss& loss, const NormalMeans& law,
                               double variance);

}  // namespace dualmargin::augmented
