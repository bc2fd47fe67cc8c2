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

double dual_pass(const seconds::Table& table, bool closed_form, double classes) {
  const double step = (closed_form ? 8 : 30) * seconds::exponential;
  return table.visits() + classes * table.rows * step + 2 * (classes - 1) * table.look();
}

}  // namespace cost

}  // namespace dualmargin::linear
