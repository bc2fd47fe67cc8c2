// What the methods of this family cost on a problem, in seconds of the kinds of pass they are made
// of (base/pass_seconds.h): what `auto` chooses by.
#pragma once

#include <algorithm>

#include "linear/cost_model.h"
#include "linear/problem.h"

namespace dualmargin::linear {

bool has_flat_pieces(const AnyLoss& loss);

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

seconds::Table table(const Rows& rows);
Shape shape(const LinearProblem& problem);

// Seconds of computing that a method takes to the end, as far as that can be known before. The
// numbers of steps are fits to 60 runs (tol 1e-6, lambda 1e-3 to 1e-7, free intercept): Newton's
// method 5 to 13 with a factorisation, 4 to 45 products with the Hessian without one; SSNAL 10 to
// 80 on 2,000 to 150 rows for each column, 60 to 200 on 25 to 5, 13 to 280 without a factorisation.
class Estimate {
 public:
  explicit Estimate(const Shape& shape);

  double newton() const;

  // Fewer steps where columns have many rows, as they start from the minimum of a sample.
  double ssnal() const;
  double ssnal_step() const;

  double interior() const;

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
  double l1_model() const;
  // Products of rows are made once; of those of columns each step makes a part anew.
  double first_matrix() const;
  double system() const;

  Shape s_;
  double n_, p_, look_;
  bool by_rows_ = false, by_columns_ = false;
};

// A pass of dual coordinate steps, one for each class.
double dual_pass(const seconds::Table& table, bool closed_form, double classes = 1);

// Dual passes before a second-order method: a trial that may take a third of what that method would,
// then as many as half of that is worth, as long as the rate promises the end within them.
struct DualPasses {
  bool pay = false;
  double more = 0;
};
DualPasses dual_passes(const Shape& shape, double trial, double finisher);

}  // namespace cost

}  // namespace dualmargin::linear
