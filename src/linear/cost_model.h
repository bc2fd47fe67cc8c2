// Where one method of this family overtakes another: figures in rows, columns and passes, with the
// measurement that set them or, where a figure is older, confirms it. Trials and limits without one
// bound what a wrong choice costs.
#pragma once

#include "base/numeric.h"

namespace dualmargin::linear {
namespace cost {

// Newton's model of an l1 problem holds all columns; sets of columns take its place beyond `many`,
// or beyond `few` where there are few rows for a column. Logistic loss, l1 a tenth and a hundredth
// of the largest, with and without common factors, Newton / sets: 500 rows, 300 columns 0.5 to 1,
// 600 columns 0.8 to 7, 1,500 columns 5 to 12; 4,000 rows, 300 columns 0.7 to 1.7, 1,500 columns
// 1.5 to 4.
constexpr Index model_columns_few = 300, model_columns_many = 1500;
constexpr double model_rows_a_column = 4;

// Dual passes before Newton's method pay for themselves on many columns for a row alone: a pass of
// Newton's method streams through the rows, one of the dual method reaches for a place in memory with
// each entry, and takes six times as long where its step has no closed form. 90 cells, 2,000 to
// 100,000 rows of 10 or 100 entries, 3,000 to 100,000 columns, seconds of Newton's method over those
// of the dual method, smallest and largest: squared hinge, at most 1.5 columns a row .3 to 1.2 at
// lambda n = 1 or 100, .02 to 2.1 at .01, more columns .56 to 1.5 and 2.2 to 5.9; logistic, 15
// columns a row .4 to .83, 50 columns .77 to 1.04; 1,000 rows of rcv1 at lambda n from 1e-4 to 1, 5.
constexpr double flat_columns_a_row = 1.5, columns_a_row = 30;
// Before SSNAL, which pays for each column, under a loss with kinks: 42 cells of the hinge, 5,000 to
// 300,000 rows, 60 to 1,500 columns, SSNAL over the dual method: .34 to 1.6 from 5,000 entries a
// column on at lambda n = 100, .07 to .23 at 3; up to 1,000 entries 1.04 to 3.4, and 1.3 to 14 at 3
// from 600 columns on. There the dual method goes on while its rate promises the end within
// `dual_worth` passes.
constexpr double column_entries = 5000, few_entries = 1000, dual_worth = 60;
// The mean of omega |x_i|^2 / (W l2 gamma) up to which eight passes often suffice, as each takes a
// constant factor off the gap. The same rows, 1,000 columns: .04 and .13 at 0.1, .25 and .30 at 10,
// .22 and .20 at 100.
constexpr double dual_condition = 4;

// Under a loss with flat pieces Newton's systems change with every row that crosses a kink. 5,000
// rows with 20 nonzeros, hinge at cost 1 and 100, dual passes / SSNAL: 1,000 columns 0.04 and 1.8,
// 2,000 columns 0.3 and 1.3, 4,000 columns 0.1 and 0.15, 8,000 columns 0.1 and 0.03.
constexpr Index wide = 2000;
// Rows of which a few share a column are fetched rather than multiplied: blocks of neighbours make
// that sequential; on fewer columns they cost epochs.
constexpr Index wide_block = 8;

// Dense rows: the m^2 / 2 products, m the smaller of rows and columns, that Newton's method needs
// first run at the speed of matrix products, the time of `products` m dual passes; on rows without
// common factors ten to forty of these end the fit. Fewer than `product_rows` rows have none worth
// mentioning. inst/extdata/results/linear_wide.csv: auto / newton is 0.36 in the median of 54 cells
// of independent columns and 1.15, at most 1.7, on columns of ten common factors.
constexpr double products = 0.1, dense_share = 0.3;
constexpr Index product_rows = 300;

// The interior point method's system is as large as the columns are many: so far it takes over from
// SSNAL, after a trial in which most fits have ended. 5,000 rows with 20 nonzeros at cost 100,
// SSNAL and interior point: 200 columns .08 and .10 s, 500 columns .6 and .2, 1,000 columns 5 and
// .8, 2,000 columns 1.2 and 4.7.
constexpr Index interior_columns = 1000;
// It goes first where columns are many but rows are not many more. 48 cells of 400 and 1,000
// columns, 1,500 and 4,000 rows, dense with and without common factors and sparse, lambda n from
// .003 to 3, SSNAL / interior point: 400 columns .8 to 1.8, sparse 2.6 to 7; 1,000 columns .92 to
// 3.5, sparse up to 15, and SSNAL's run often ended without a certificate.
constexpr Index interior_first = 400;
constexpr double interior_rows_a_column = 10;
constexpr double ssnal_trial = 60;

// Epochs in which most fits end that end at all; a method that creeps on the rows it got takes no
// more before another has its turn (one alone left 119 of 200 separable problems of 14 x 34 on
// columns of scales 1e-2 to 1e2 under a weak penalty).
constexpr double newton_trial = 150, dual_trial = 600, l1_model_trial = 100, columns_trial = 300,
                 wide_newton_trial = 300;

// A factorisation of 2,800 rows or columns takes 64 MB; beyond that only where the data are larger.
// Its work is set against that of a few hundred conjugate gradient steps.
constexpr Index matrix_rows = 2800, active_rows = 800;
inline bool factor_pays(double size, double nonzeros) {
  const bool fits = size <= matrix_rows || size * size < nonzeros;
  return fits && size * size * size / 12 <= 1600 * nonzeros;
}

// A model with an l1 part is a matrix up to so many columns; a working set of rows seen by rows has
// so many at most.
constexpr Index matrix_columns = 1500, set_columns = 3000;
// In entries: what the matrix of so many columns costs anew: a look at all rows, entries^2 / (2 n)
// and for its factors size^3 / 3, an eighth of that where the work is in dense panels.
inline double matrix(double size, double entries, double n, double nonzeros) {
  const double products = entries * entries / (2 * n) / (entries == size * n ? 8 : 1);
  return 2 * nonzeros + products + size * size * size / 24;
}

// Problems of all classes: the Hessian of k classes times p columns is one matrix up to this size,
// where its k^2 / 2 products take less than the conjugate gradient steps that they spare; then a
// matrix for each class, of so many entries together (128 MB).
constexpr double joint_size = 600, joint_entries = 16e6;

}  // namespace cost
}  // namespace dualmargin::linear
