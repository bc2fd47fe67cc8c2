#include "base/golden_section.h"

namespace dualmargin {

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
