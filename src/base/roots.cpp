#include "base/roots.h"

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

double golden_section(FunctionRef<double(double)> f, double low, double high, int steps,
                      double width) {
  constexpr double ratio = 0.6180339887498949;
  double left = high - ratio * (high - low), right = low + ratio * (high - low);
  double f_left = f(left), f_right = f(right);
  for (int i = 0; i < steps && high - low > width; ++i) {
    if (f_left < f_right) {
      low = left, left = right, f_left = f_right;
      right = low + ratio * (high - low), f_right = f(right);
    } else {
      high = right, right = left, f_right = f_left;
      left = high - ratio * (high - low), f_left = f(left);
    }
  }
  return f_left > f_right ? left : right;
}

}  // namespace dualmargin
