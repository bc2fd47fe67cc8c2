// What the methods of this family cost on a problem, in seconds of the kinds of pass they are made
// of (base/pass_seconds.h): what `auto` chooses by.
#pragma once

#include <algorithm>
#include <cmath>

#include "linear/cost_model.h"
#include "linear/path_scale.h"

namespace dualmargin::linear {

inline bool has_flat_pieces(const AnyLoss& loss) {
  constexpr double far = 30;  // well past every kink, and no underflow yet
  return loss.curvature(far, 1, 0, 0, loss.slope(far, 1)) == 0;
}

namespace cost {

// A problem as the estimates see it.
struct Shape {
  seconds::Table table;
  double products = 0;   // sum_i nonzeros_i^2 / 2
  double condition = 0;  // mean |x_i|^2 / (l2 gamma), above that of the mean loss's Hessian
  bool smooth = true, quadratic = false, closed = true;  // the dual method's step: a closed form
  bool here = true;                                      // all rows, none on another rank
  bool kinks = false;                                    // an l1 part or bounds
};

template <class Problem>
seconds::Table table(const Problem& problem) {
  return {problem.rows.count(), static_cast<double>(problem.dim()), problem.rows.nonzeros()};
}
template <class Problem>
Shape shape(const Problem& problem) {
  const auto& rows = problem.rows;
  const AnyLoss& loss = problem.losses.loss;
  Shape s;
  s.table = table(problem);
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

// Seconds of computing that a method takes to the end, as far as that can be known before. The
// numbers of steps are fits to 60 runs (tol 1e-6, lambda 1e-3 to 1e-7, free intercept): Newton's
// method 5 to 13 with a factorisation, 4 to 45 products with the Hessian without one; SSNAL 10 to
// 80 on 2,000 to 150 rows for each column, 60 to 200 on 25 to 5, 13 to 280 without a factorisation.
class Estimate {
 public:
  explicit Estimate(const Shape& shape)
      : s_(shape), n_(shape.table.rows), p_(shape.table.columns), look_(shape.table.look()) {
    by_rows_ = s_.here && n_ < p_ && factor_pays(n_, s_.table.nonzeros);
    by_columns_ = !by_rows_ && factor_pays(p_, s_.table.nonzeros);
  }

  double newton() const {
    if (!factors()) return 4 * std::pow(ill(), 0.22) * product();
    return first_matrix() + (s_.quadratic ? 1 : 8) * (2 * look_ + losses() + system());
  }

  // Fewer steps where columns have many rows, as they start from the minimum of a sample.
  double ssnal() const {
    const double columns_a_row = p_ / n_;
    if (!factors()) {
      const double steps = std::clamp(30 * std::sqrt(columns_a_row), 10.0, 60.0);
      return steps * std::min(std::pow(ill(), 0.6), 30.0) * product();
    }
    const double few = 60, steps = std::clamp(450 * std::sqrt(columns_a_row), 10.0, 250.0);
    return first_matrix() + (by_rows_ ? few : steps) * ssnal_step();
  }
  double ssnal_step() const {
    if (s_.kinks) return 2 * look_ + losses() + l1_model();
    return factors() ? 2 * look_ + losses() + vectors() + system() : product();
  }

  double interior() const {
    constexpr double steps = 32, row = 60;  // in exponentials: barriers, lengths, right-hand sides
    return steps * (n_ * row * seconds::exponential + 3 * look_ + gram() + seconds::cholesky(p_));
  }

  // Of an l1 problem: Newton's method on all columns, sets of columns. Logistic loss, l1 a tenth and
  // a hundredth of the largest, with and without common factors, Newton / sets: 500 rows, 300
  // columns 0.5 to 1, 600 columns 0.8 to 7, 1,500 columns 5 to 12; 4,000 rows, 300 columns 0.7 to
  // 1.7, 1,500 columns 1.5 to 4.
  double l1_newton() const { return gram() / 2 + seconds::cholesky(p_) + l1_model(); }
  double l1_sets() const { return 60 * look_; }

 private:
  bool factors() const { return by_rows_ || by_columns_; }
  double losses() const { return n_ * seconds::exponential * (s_.closed ? 1 : 2); }
  double vectors() const { return 10 * p_ * seconds::streamed; }
  // of a step by conjugate gradients, with the Hessian
  double product() const { return 3 * look_ + losses() + vectors(); }
  double ill() const { return std::max(1.0, s_.condition / 1e3); }
  double gram() const { return s_.products * s_.table.each(); }
  // The model of a step with an l1 part: a part of its matrix anew, and sweeps over its columns.
  double l1_model() const {
    const double size = std::min(p_, static_cast<double>(matrix_columns));
    return gram() / 2 + 20 * size * size * seconds::gathered;
  }
  // Products of rows are made once; of those of columns each step makes a part anew.
  double first_matrix() const {
    return by_rows_ ? n_ * s_.table.nonzeros / 2 * s_.table.each() : gram() / 2;
  }
  double system() const {
    return by_rows_ ? seconds::cholesky(n_) : gram() / 2 + seconds::cholesky(p_);
  }

  Shape s_;
  double n_, p_, look_;
  bool by_rows_ = false, by_columns_ = false;
};

// A pass of dual coordinate steps, one for each class.
inline double dual_pass(const seconds::Table& table, bool closed_form, double classes = 1) {
  const double step = (closed_form ? 8 : 30) * seconds::exponential;
  const double block = table.columns > wide ? static_cast<double>(wide_block) : 1;
  return table.visits(block) + classes * table.rows * step + 2 * (classes - 1) * table.look();
}

// Dual passes before a second-order method: a trial that may take a third of what that method would,
// then as many as half of that is worth, as long as the rate promises the end within them.
struct DualPasses {
  bool pay = false;
  double more = 0;
};
inline DualPasses dual_passes(const Shape& shape, double trial, double finisher) {
  const double worth = finisher / dual_pass(shape.table, shape.closed);
  return {trial <= worth / 3, worth / 2};
}

}  // namespace cost
}  // namespace dualmargin::linear
