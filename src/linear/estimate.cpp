#include "linear/estimate.h"

#include <algorithm>
#include <cmath>

#include "linear/path_scale.h"

namespace dualmargin::linear {

bool has_flat_pieces(const AnyLoss& loss) {
  constexpr double far = 30;  // well past every kink, and no underflow yet
  return loss.curvature(far, 1, 0, 0, loss.slope(far, 1)) == 0;
}

namespace cost {

seconds::Table table(const Rows& rows) {
  return {rows.count(), static_cast<double>(rows.dim()), rows.nonzeros()};
}

Shape shape(const LinearProblem& problem) {
  const auto& rows = problem.rows;
  const AnyLoss& loss = problem.losses.loss;
  Shape s;
  s.table = table(rows);
  s.products = rows.sum([&](Index i) {
    const double entries = static_cast<double>(rows.nonzeros(i));
    return entries * entries / 2;
  });
  const double l2 = problem.penalty.l2;
  s.condition = l2 > 0 ? mean_curvature(problem) / l2 : HUGE_VAL;
  s.smooth = problem.losses.smooth();
  s.quadratic = loss.dual_shift();
  s.closed = !s.smooth || s.quadratic || has_flat_pieces(loss);
  s.here = rows.team.size() == 1;
  s.kinks = problem.penalty.l1 > 0 || problem.penalty.bounded();
  return s;
}

Estimate::Estimate(const Shape& shape)
    : s_(shape), n_(shape.table.rows), p_(shape.table.columns), look_(shape.table.look()) {
  by_rows_ = s_.here && n_ < p_ && factor_pays(n_, s_.table.nonzeros);
  by_columns_ = !by_rows_ && factor_pays(p_, s_.table.nonzeros);
}

double Estimate::newton() const {
  if (!factors()) return 4 * std::pow(ill(), 0.22) * product();
  return first_matrix() + (s_.quadratic ? 1 : 8) * (2 * look_ + losses() + system());
}

double Estimate::ssnal() const {
  const double columns_a_row = p_ / n_;
  if (!factors()) {
    const double steps = std::clamp(30 * std::sqrt(columns_a_row), 10.0, 60.0);
    return steps * std::min(std::pow(ill(), 0.6), 30.0) * product();
  }
  const double few = 60, steps = std::clamp(450 * std::sqrt(columns_a_row), 10.0, 250.0);
  return first_matrix() + (by_rows_ ? few : steps) * ssnal_step();
}

double Estimate::ssnal_step() const {
  if (s_.kinks) return 2 * look_ + losses() + l1_model();
  return factors() ? 2 * look_ + losses() + vectors() + system() : product();
}

double Estimate::interior() const {
  constexpr double steps = 32, row = 60;  // in exponentials: barriers, lengths, right-hand sides
  return steps * (n_ * row * seconds::exponential + 3 * look_ + gram() + seconds::cholesky(p_));
}

double Estimate::l1_model() const {
  const double size = std::min(p_, static_cast<double>(matrix_columns));
  return gram() / 2 + 20 * size * size * seconds::gathered;
}

double Estimate::first_matrix() const {
  return by_rows_ ? n_ * s_.table.nonzeros / 2 * s_.table.each() : gram() / 2;
}

double Estimate::system() const {
  return by_rows_ ? seconds::cholesky(n_) : gram() / 2 + seconds::cholesky(p_);
}

double dual_pass(const seconds::Table& table, bool closed_form, double classes) {
  const double step = (closed_form ? 8 : 30) * seconds::exponential;
  const double block = table.columns > wide ? static_cast<double>(wide_block) : 1;
  return table.visits(block) + classes * table.rows * step + 2 * (classes - 1) * table.look();
}

DualPasses dual_passes(const Shape& shape, double trial, double finisher) {
  const double worth = finisher / dual_pass(shape.table, shape.closed);
  return {trial <= worth / 3, worth / 2};
}

}  // namespace cost

}  // namespace dualmargin::linear
