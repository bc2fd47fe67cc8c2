// Exports for the tests of losses with soft labels.
#include "border/border.h"
#include "border/dispatch_kernel.h"

using namespace dualmargin;
using namespace dualmargin::linear;

// One member of a soft loss, or of its regression form, entry by entry. "piece" gives four columns:
// low, high, score and curvature of dual_piece() at a.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix probe_soft_loss_cpp(const std::string& loss, double parameter, bool regression,
                                        const std::string& what, const Rcpp::NumericVector& z,
                                        const Rcpp::NumericVector& y, const Rcpp::NumericVector& a,
                                        double q) {
  const AnyLoss phi = any_loss(loss, parameter, regression);
  const int n = z.size();
  Rcpp::NumericMatrix out(n, what == "piece" ? 4 : 1);
  for (int i = 0; i < n; ++i) {
    if (what == "value") out(i, 0) = phi.value(z[i], y[i]);
    if (what == "slope") out(i, 0) = phi.slope(z[i], y[i]);
    if (what == "conjugate") out(i, 0) = phi.conjugate(a[i], y[i]);
    if (what == "dual_step") out(i, 0) = phi.dual_step(z[i], y[i], a[i], q);
    if (what == "curvature") {
      out(i, 0) = phi.curvature(z[i], y[i], a[i], q, phi.dual_step(z[i], y[i], a[i], q));
    }
    if (what == "gamma") out(i, 0) = phi.gamma();
    if (what != "piece") continue;
    const DualPiece piece = phi.dual_piece(a[i], y[i]);
    out(i, 0) = piece.low;
    out(i, 1) = piece.high;
    out(i, 2) = piece.score;
    out(i, 3) = piece.curvature;
  }
  return out;
}
