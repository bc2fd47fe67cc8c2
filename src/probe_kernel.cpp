// Exports for the tests of the kernel family: one proximal step or loss at a time.
#include "border/kernel.h"

using namespace dualmargin;
using namespace dualmargin::kernel;

// The columns of z, u and the entries of q, one case each: the exact proximal step of the softmax
// loss; with `what` "gap" its Fenchel gap, "value" its value at the shares u, in the first row.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix probe_softmax_cpp(const std::string& what, const Rcpp::NumericMatrix& z,
                                      const Rcpp::NumericMatrix& u, const Rcpp::NumericVector& q) {
  const Mat score = mat(z);
  Mat out = mat(u);
  SoftmaxStep step(out.rows());
  for (Index j = 0; j < out.cols(); ++j) {
    const double* own = score.col(j).data();
    if (what == "step") step(own, q[j], out.col(j).data());
    if (what == "gap") out(0, j) = Softmax::fenchel_gap(own, out.col(j).data(), out.rows());
    if (what == "value") out(0, j) = Softmax::value(own, out.col(j).data(), out.rows());
  }
  return Rcpp::wrap(out);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector probe_wright_omega_cpp(const Rcpp::NumericVector& x) {
  Rcpp::NumericVector out(x.size());
  for (R_xlen_t i = 0; i < x.size(); ++i) out[i] = wright_omega(x[i]);
  return out;
}
