#include "decide/joint_fit.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "region/joint_ellipsoid.h"

namespace dualmargin::decide {

JointFit::JointFit(const Storage& data, JointGiven given_, JointRefit refit_, Team& team,
                   Tick& tick)
    : given(std::move(given_)),
      none(RowVec::Zero(given.omega.size())),
      rows(data, none, given.omega, team),
      region(rows, given.problem, tick),
      pair(region.pair(given.w, given.b, given.dual)),
      refit(std::move(refit_)) {
  if (!softmax() || classes() * width() > region::largest_joint_hessian) return;
  probabilities = region.probabilities(pair.z);
  hessian = region.hessian(probabilities);
  factor = region.factored(hessian);
  if (factor.usable()) norms = region.norms(factor);
}

ElasticNet JointFit::g_for(double weight) const {
  const double more = given.rule == Rule::cost ? rows.total_weight / weight : 1;
  return {more * g().l1, more * g().l2};
}

double JointFit::reach(const RowVec& omega) const {
  return std::max(0.0, rows.max([&](Index i) { return omega[i] > 0 ? norms[i] : 0.0; }));
}

}  // namespace dualmargin::decide
