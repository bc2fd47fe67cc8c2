// Sizes up to which a matrix pays, by the seconds of the passes it spares (base/pass_seconds.h), and
// limits that bound what a wrong choice costs. What whole methods cost: auto.cpp.
#pragma once

#include "base/numeric.h"
#include "base/pass_seconds.h"
#include "loss/loss.h"
#include "rows/rows.h"

namespace dualmargin::linear {

// Is phi linear far out, so that phi* has ends?
bool has_flat_pieces(const Loss& loss);

namespace cost {

// A factorisation of 2,800 rows or columns takes 64 MB; beyond that only where the data are larger.
// Its work is set against that of two hundred conjugate gradient steps.
constexpr Index matrix_rows = 2800, active_rows = 800;
bool factor_pays(double size, double nonzeros);

// A model with an l1 part is a matrix up to so many columns; a working set of rows seen by rows has
// so many at most.
constexpr Index matrix_columns = 1500, set_columns = 3000;
// What the matrix of so many columns with so many entries costs anew: a look at all rows, its
// products and its factors.
double matrix(double size, double entries, double n, double nonzeros);

// The matrix of the interior point method has as many columns as the rows have.
constexpr Index interior_columns = 1000;
// Rows of so many columns share few of them: they are fetched rather than multiplied.
constexpr Index wide = 2000;

// Passes in which most fits end that end at all; a method that creeps on the rows it got takes no
// more before another has its turn (one alone left 119 of 200 separable problems of 14 x 34 on
// columns of scales 1e-2 to 1e2 under a weak penalty).
constexpr double newton_trial = 150, dual_trial = 600, l1_model_trial = 100, columns_trial = 300,
                 ssnal_trial = 120, lbfgs_trial = 12;
// Above that condition L-BFGS without a matrix takes some twenty passes and more, in which Newton's
// method by conjugate gradients ends as well (IMDB: 6, 10, 27, 95 passes at 25, 250, 2,500, 25,000,
// those of Newton's method 12, 25, 36, 48); on random columns 3.
constexpr double ill = 800;

// Problems of all classes: the Hessian of k classes times p columns is one matrix up to this size,
// where its k^2 / 2 products take less than the conjugate gradient steps that they spare; then a
// matrix for each class, of so many entries together (128 MB).
constexpr double joint_size = 600, joint_entries = 16e6;

seconds::Table table(const Rows& rows);
// How many neighbours among the rows the dual method visits one after the other: a group where rows are
// fetched from afar, one where the cache of a core holds them or groups would be few.
Index neighbours(const seconds::Table& table);
// A pass of dual coordinate steps, one for each class.
double dual_pass(const seconds::Table& table, bool closed_form, double classes = 1);

}  // namespace cost

}  // namespace dualmargin::linear
