// Every loss as what may be asked of it at run time, once: what other units hold is an AnyLoss.
#include "border/decide.h"
#include "border/dispatch_loss.h"
#include "loss/soft.h"

namespace dualmargin {

AnyLoss loss_by_name(const std::string& name, double parameter) {
  return with_loss(name, parameter, [](const auto& loss) { return AnyLoss::of(loss); });
}

AnyLoss any_loss(const std::string& name, double parameter, bool regression) {
  return with_loss(name, parameter, [&](const auto& loss) {
    using Loss = std::decay_t<decltype(loss)>;
    if constexpr (of_numbers<Loss>) {
      return AnyLoss::of(loss);
    } else {
      if constexpr (of_residual<Loss>) {
        if (regression) return AnyLoss::of(Residual<Loss>(loss));
      }
      return AnyLoss::of(Soft<Loss>(loss));
    }
  });
}

region::Calculus border::calculus(const std::string& name, double parameter) {
  return with_loss(name, parameter, [](const auto& loss) { return region::Calculus::of(loss); });
}

}  // namespace dualmargin
