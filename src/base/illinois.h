// The root of a continuous function between two points where its signs differ.
// M. Dowell and P. Jarratt (1971), A modified regula falsi method for computing the root of an
// equation, BIT 11, 168-174, with a bisection every fourth step, which bounds the number of steps.
#pragma once

namespace dualmargin {

// |g(root)| <= tol, or no number between the ends; the last call of g is at the root.
template <class G>
double illinois(G g, double low, double at_low, double high, double at_high, double tol) {
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
