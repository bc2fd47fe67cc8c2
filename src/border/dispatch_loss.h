// The list of losses: the only place where the name of one becomes a type. What its parts are asked
// follows from the type, see loss/loss.h.
#pragma once

#include <string>
#include <type_traits>

#include "border/names.h"
#include "loss/hinge.h"
#include "loss/huber.h"
#include "loss/logistic.h"
#include "loss/pinball.h"
#include "loss/smooth_hinge.h"
#include "loss/squared.h"
#include "loss/squared_hinge.h"
#include "loss/squared_tube.h"

namespace dualmargin {

template <class L>
constexpr bool of_numbers = L::responses == Responses::numbers;

// f(loss) with the loss as a value of its own type. Both branches of a chain return the same type.
// `parameter` is what the maker of the loss takes on the R side; the others do not look at it.
template <class F>
auto with_loss(const std::string& name, double parameter, F f) -> decltype(f(Hinge())) {
  if (name == "hinge") return f(Hinge());
  if (name == "smooth_hinge") return f(SmoothHinge(parameter));
  if (name == "squared_hinge") return f(SquaredHinge(parameter));
  if (name == "logistic") return f(Logistic());
  if (name == "squared") return f(Squared());
  if (name == "huber") return f(Huber(parameter));
  if (name == "quantile") return f(Pinball(-parameter, 1 - parameter, 0));
  if (name == "absolute") return f(Pinball(-1, 1, 0));
  if (name == "epsilon_insensitive") return f(Pinball(-1, 1, parameter));
  if (name == "squared_epsilon_insensitive") return f(SquaredTube(parameter));
  border::unknown("loss", name);
}

// These are compiled once, in losses.cpp.

// The loss itself.
LossPtr loss_by_name(const std::string& name, double parameter);
// A loss of soft labels, or, for a regression, of a numeric response.
LossPtr any_loss(const std::string& name, double parameter, bool regression);

}  // namespace dualmargin
