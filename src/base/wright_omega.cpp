#include "base/wright_omega.h"

#include <cmath>

namespace dualmargin {

double wright_omega(double x) {
  if (x < -50) return std::exp(x);
  if (x > 1e20) return x;
  double w = x < -2  ? std::exp(x)
             : x < 1 ? std::exp(2 * (x - 1) / 3)
                     : x - std::log(x) + std::log(x) / x;
  for (int step = 0; step < 2; ++step) {
    const double r = x - w - std::log(w), next = 1 + w, t = 2 * next * (next + 2 * r / 3);
    w *= 1 + r / next * (t - r) / (t - 2 * r);
  }
  return w;
}

}  // namespace dualmargin
