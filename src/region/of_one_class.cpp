#include "region/of_one_class.h"

#include <algorithm>

#include "base/slack.h"
#include "kernel/one_class.h"

namespace dualmargin::region {

FunctionRegion one_class_region(const FunctionRows& rows, Function f, const RowVec& u, double gap) {
  FunctionRegion r;
  r.free = true;
  const double radius =
      std::sqrt(std::max(gap, 0.0)) * rounding::raised + rows.coefficient_rounding(f, 8);
  r.ball = {std::move(f), radius, gap};
  const RowVec score = rows.products(r.ball.centre);
  const Ends ends =
      ball_ends(radius, {0, 0}, 0, score, rows.roundings(r.ball.centre, 0), rows.squares());
  const auto rho = [&](const RowVec& scores) {
    return kernel::best_rho(scores.local(), u.local());
  };
  r.centre = {-rho(ends.high), -rho(ends.low)};
  r.b = -rho(score);
  return r;
}

}  // namespace dualmargin::region
