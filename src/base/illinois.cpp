#include "base/illinois.h"

namespace dualmargin {

double illinois(FunctionRef<double(double)> g, double low, double at_low, double high,
                double at_high, double tol) {
  double root = low;
  int same_side = 0;
  for (int k = 1;; ++k) {
    const double middle = low + 0.5 * (high - low);
    root = low - at_low * ((high - low) / (at_high - at_low));
    if (k % 4 == 0 || !(root > low && root < high)) root = middle;
    const double value = g(root);
    if (!(value > tol || value < -tol) || !(middle > low && middle < high)) return root;
    const bool below = (value > 0) == (at_low > 0);
    if (below) {
      low = root, at_low = value;
      if (same_side < 0) at_high *= 0.5;
    } else {
      high = root, at_high = value;
      if (same_side > 0) at_low *= 0.5;
    }
    same_side = below ? -1 : 1;
  }
}

}  // namespace dualmargin
