#include "linear/cost_model.h"

namespace dualmargin::linear {

bool has_flat_pieces(const Loss& loss) {
  constexpr double far = 30;  // well past every kink, and no underflow yet
  return loss.curvature(far, 1, 0, 0, loss.slope(far, 1)) == 0;
}

namespace cost {

bool factor_pays(double size, double nonzeros) {
  const bool fits = size <= matrix_rows || size * size < nonzeros;
  return fits && seconds::cholesky(size) <= 400 * nonzeros * seconds::gathered;
}

double matrix(double size, double entries, double n, double nonzeros) {
  const bool dense = entries == size * n;
  const double products = entries * entries / (2 * n);
  return 2 * nonzeros * seconds::gathered +
         products * (dense ? seconds::product : seconds::gathered) + seconds::cholesky(size);
}

seconds::Table table(const Rows& rows) {
  return {rows.count(), static_cast<double>(rows.dim()), rows.nonzeros()};
}

// In groups of 8 the hinge at 1e-2 takes .36 to .65 of the time on 4,600 to 50,000 rows of 2.6e5 to 6e5
// entries, in as many passes; of 12 fits of 62 rows, colon rotated, 6 missed their end and not 1.
Index neighbours(const seconds::Table& table) {
  constexpr double near_entries = 65536, few_rows = 4096;
  constexpr Index group = 8;
  const bool far = table.nonzeros > near_entries && table.rows > few_rows;
  return far || table.columns > static_cast<double>(wide) ? group : 1;
}

double dual_pass(const seconds::Table& table, bool closed_form, double classes) {
  const double step = (closed_form ? 8 : 30) * seconds::exponential;
  const auto group = static_cast<double>(neighbours(table));
  return table.visits(group) + classes * table.rows * step + 2 * (classes - 1) * table.look();
}

}  // namespace cost

}  // namespace dualmargin::linear
