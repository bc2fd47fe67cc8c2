// Every loss by its name, once: what other units hold is a Loss.
#include "border/decide.h"
#include "border/dispatch_loss.h"
#include "loss/soft.h"

namespace dualmargin {

LossPtr loss_by_name(const std::string& name, double parameter) {
  return with_loss(name, parameter, [](const auto& loss) -> LossPtr {
    return std::make_shared<const std::decay_t<decltype(loss)>>(loss);
  });
}

LossPtr any_loss(const std::string& name, double parameter, bool regression) {
  return with_loss(name, parameter, [&](const auto& loss) -> LossPtr {
    using L = std::decay_t<decltype(loss)>;
    if constexpr (of_numbers<L>) {
      return std::make_shared<const L>(loss);
    } else {
      if constexpr (L::responses == Responses::both) {
        if (regression) return std::make_shared<const Residual<L>>(loss);
      }
      return std::make_shared<const Soft<L>>(loss);
    }
  });
}

LossPtr border::loss_of(const Rcpp::List& problem) {
  return loss_by_name(Rcpp::as<std::string>(problem["loss"]), number_at(problem, "parameter"));
}

}  // namespace dualmargin
