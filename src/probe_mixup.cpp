// Exports for the tests: the conjugates of the mixup methods, one at a time.
#include "border/border.h"
#include "border/dispatch_kernel.h"

using namespace dualmargin;
using namespace dualmargin::kernel;

// what: the conjugate of a soft loss at a by search ("search") or bounded from below on a grid of n
// steps up to `level` ("below"); a split into the slopes of two copies and merged again ("merged").
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector probe_mixup_cpp(std::string loss, double parameter, std::string what,
                                    Rcpp::NumericVector a, Rcpp::NumericVector y, int n,
                                    double level) {
  const AnyLoss phi = any_loss(loss, parameter, false);
  Rcpp::NumericVector out(a.size());
  for (R_xlen_t i = 0; i < a.size(); ++i) {
    if (what == "search") out[i] = conjugate_by_search(phi, a[i], y[i]);
    if (what == "below") {
      out[i] = conjugate_from_below(phi, ScoreGrid(phi, y[i], level, n), a[i], y[i]);
    }
    if (what == "merged") out[i] = merge(split(phi, a[i], y[i]), y[i]);
  }
  return out;
}
