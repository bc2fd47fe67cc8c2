#include "augmented/normal_quantile.h"

#include <cmath>

namespace dualmargin::augmented {

double normal_quantile(double p) {
  const bool upper = p > 0.5;
  const double q = upper ? 1 - p : p;  // antisymmetric to the last bit
  double x;
  if (q < 0.02425) {
    const double t = std::sqrt(-2 * std::log(q));
    x = (((((-7.784894002430293e-03 * t - 3.223964580411365e-01) * t - 2.400758277161838) * t -
           2.549732539343734) *
              t +
          4.374664141464968) *
             t +
         2.938163982698783) /
        ((((7.784695709041462e-03 * t + 3.224671290700398e-01) * t + 2.445134137142996) * t +
          3.754408661907416) *
             t +
         1);
  } else {
    const double s = q - 0.5, t = s * s;
    x = (((((-3.969683028665376e+01 * t + 2.209460984245205e+02) * t - 2.759285104469687e+02) * t +
           1.383577518672690e+02) *
              t -
          3.066479806614716e+01) *
             t +
         2.506628277459239) *
        s /
        (((((-5.447609879822406e+01 * t + 1.615858368580409e+02) * t - 1.556989798598866e+02) * t +
           6.680131188771972e+01) *
              t -
          1.328068155288572e+01) *
             t +
         1);
  }
  const double e = (normal_probability(x) - q) / normal_density(x);
  x -= e / (1 + 0.5 * x * e);
  return upper ? -x : x;
}

}  // namespace dualmargin::augmented
