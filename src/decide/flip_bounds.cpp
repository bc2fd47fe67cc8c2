#include "decide/flip_bounds.h"

#include <memory>

#include "decide/removal_bounds.h"
#include "region/of_kernel.h"

namespace dualmargin::decide {

template <class AnyProblem>
RowChanges row_changes(const AnyProblem& problem, const region::RowTerms& pair, const Vec& turned) {
  const Index n = problem.n();
  const Loss& phi = problem.phi;
  const double steep = phi.gamma() > 0 ? 1 / phi.gamma() : 0;
  RowChanges c{RowVec(n), RowVec(n), RowVec(n), RowVec(n), RowVec(n), RowVec(n), 0};
  const bool turns = turned.size() > 0;
  for (Index i = 0; i < n; ++i) {
    const double z = pair.z[i], was = problem.omega(i), slope = phi.left(z, problem.y(i));
    c.y[i] = turns ? -problem.y(i) : problem.y(i);
    c.omega[i] = turns ? turned[i] : 0.0;
    const double a = turns ? phi.left(z, c.y[i]) : 0.0;
    c.mass[i] = c.omega[i] * a - was * pair.a[i];
    c.pull[i] = c.omega[i] * a - was * slope;
    c.wobble[i] =
        (c.omega[i] + was) * steep * pair.z_rounding[i] + rounding::of(8) * std::abs(c.pull[i]);
    c.bend[i] = std::abs(c.omega[i] - was) * phi.second(z, problem.y(i));
  }
  if (turns) {
    c.excess = problem.rows.sum([&](Index i) {
      const double z = pair.z[i], y = c.y[i];
      return c.omega[i] * region::excess_above(phi, z, phi.left(z, y), y, pair.z_rounding[i]);
    });
  }
  return c;
}

RowVec roots(const RowVec& squares) {
  return RowVec::of(squares.size(), [&](Index i) { return std::sqrt(squares[i]); });
}

std::vector<double> along(const SeenRow& seen, const RowVec& mass, double side) {
  std::vector<double> out(static_cast<std::size_t>(mass.size()));
  for (Index j = 0; j < mass.size(); ++j) {
    out[j] = side * mass[j] * seen.inner[j] + std::abs(mass[j]) * seen.noise[j];
  }
  return out;
}

template RowChanges row_changes(const region::Problem&, const region::RowTerms&, const Vec&);
template RowChanges row_changes(const region::FunctionProblem&, const region::RowTerms&,
                                const Vec&);

}  // namespace dualmargin::decide
