#include "augmented/stand_in.h"

#include <cmath>

namespace dualmargin::augmented {

StandIn::StandIn(const ExpectedErm& problem, const Vec& w, Tick& tick)
    : x_(problem.rows), noise_(problem.perturbation.moments()), lines_(problem.n()) {
  Vec values = Vec::Zero(problem.n());
  gradient_ = problem.rows.column_sums(
      [&](Index i, Vec& u) {
        const double share = problem.share(i), y = problem.rows.y[i];
        double variance = 0;
        Index k = 0;
        x_.for_each(i, [&](Index j, double value) {
          variance += variance_of(i, k++, value) * w[j] * w[j];
        });
        Line& line = lines_[i];
        line.z = x_.dot(i, w);
        line.value = problem.loss->value(line.z, y);
        line.slope = problem.loss->slope(line.z, y);
        const double h = std::sqrt(variance);
        if (h > 0) nearest_line(line, h, [&](double z) { return problem.loss->slope(z, y); });
        if (!noise_.known || !(share > 0)) return;
        values[i] = share * (line.value + 0.5 * line.curve * variance);
        gradient(i, w, [&](Index, Index j, double g) { u[j] += share * g; });
      },
      tick);
  value_ = problem.rows.sum([&](Index i) { return values[i]; });
}

double StandIn::value(Index i, double z) const {
  if (!noise_.known) return 0;
  const Line& r = lines_[i];
  return r.value + (z - r.z) * (r.slope + 0.5 * r.curve * (z - r.z));
}

double StandIn::slope(Index i, double z) const {
  return !noise_.known ? 0 : lines_[i].slope + lines_[i].curve * (z - lines_[i].z);
}

void StandIn::nearest_line(Line& r, double h, FunctionRef<double(double)> slope) {
  constexpr double nodes[] = {1.355626179974266, 2.856970013872806};
  constexpr double shares[] = {0.2220759220056126, 0.01125741132772069};
  double mean = 0.5333333333333333 * r.slope, moment = 0;
  for (int k = 0; k < 2; ++k) {
    const double above = slope(r.z + nodes[k] * h), below = slope(r.z - nodes[k] * h);
    mean += shares[k] * (above + below);
    moment += shares[k] * nodes[k] * (above - below);
  }
  r.slope = mean;
  r.curve = moment / h;
}

}  // namespace dualmargin::augmented
