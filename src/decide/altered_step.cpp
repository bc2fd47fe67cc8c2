#include "decide/altered_step.h"

#include <algorithm>
#include <cmath>

namespace dualmargin::decide {

double best_share(const region::Problem& problem, const Altered& of, const Scores& at, const Vec& w,
                  const Vec& by, Tick& tick) {
  const Rows& rows = problem.rows;
  const Index d = rows.dim();
  RowVec moved = rows.multiply(by.head(d), tick);
  if (problem.free()) moved += by[d];
  RowVec omega(problem.n());
  for (Index j = 0; j < problem.n(); ++j) omega[j] = problem.omega(j);
  for (const Index j : of.out) omega[j] = 0;
  const double arrives = of.in == nullptr ? 0.0 : of.in->x.dot(by);
  const auto fall = [&](double share) {
    double sum = rows.sum([&](Index j) {
      if (!(omega[j] > 0)) return 0.0;
      return omega[j] * moved[j] * problem.phi.left(at.z[j] - share * moved[j], problem.y(j));
    });
    if (of.in != nullptr) {
      sum += of.in->omega * arrives * problem.phi.left(at.arrived - share * arrives, of.in->y);
    }
    return sum + of.ridge.cwiseProduct(w - share * by.head(d)).dot(by.head(d));
  };
  const double first = fall(0);
  double low = 0, high = 1, last = fall(high);
  if (!(first > 0) || std::abs(last) <= 1e-3 * first) return 1;
  for (int doubled = 0; last > 0 && doubled < 40; ++doubled) {
    low = high;
    high *= 2;
    last = fall(high);
  }
  for (int round = 0; round < 40; ++round) {
    const double middle = low + (high - low) / 2;
    (fall(middle) > 0 ? low : high) = middle;
  }
  return high;
}

}  // namespace dualmargin::decide
