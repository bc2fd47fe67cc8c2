#include "robust/cost_model.h"

#include <algorithm>
#include <cmath>

namespace dualmargin::robust {

double cost::gram(const Rows& rows) {
  return rows.sum([&](Index i) {
    const double entries = static_cast<double>(rows.nonzeros(i));
    return 0.5 * entries * entries;
  });
}

bool cost::Step::affordable() const {
  return std::min(of_rows, of_columns) * seconds::product <= most_seconds;
}

cost::Step cost::step(const RobustSvm& problem) {
  const double d = static_cast<double>(problem.dim()), n = static_cast<double>(problem.n());
  const bool here = problem.rows.team.size() == 1;
  const bool metric = problem.radius > 0 || problem.ridge > 0;
  return {d > most_unknowns ? HUGE_VAL : gram(problem.rows) + d * d * d / 3,
          n > most_unknowns || !metric || !here
              ? HUGE_VAL
              : 0.5 * n * problem.rows.nonzeros() + n * n * n / 3};
}

}  // namespace dualmargin::robust
