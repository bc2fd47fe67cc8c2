// Glue of margin_hard() on a kernel: names to types, then one call.
#include "border_hard.h"
#include "border_kernel_store.h"

using namespace dualmargin;

namespace {

// w: scores of all examples, without a free intercept.
Rcpp::List answer_of(const border::HardCall& call, const HardReport& r, const MarginRows& rows) {
  const Mat beta = call.length() * rows.coefficients(r.solution.c);
  const Index n = beta.rows(), k = beta.cols();
  const Mat scores =
      (call.length() * Eigen::Map<const Mat>(r.solution.w.data(), n, k)).array() + r.solution.b;
  const Vec b =
      call.penalized() ? Vec(beta.colwise().sum().transpose()) : Vec::Constant(k, r.solution.b);
  return border::as_list(r, beta, b, scores);
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List fit_hard_kernel_cpp(SEXP x, const Rcpp::NumericVector& y,
                               const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                               const Rcpp::List& control) {
  const border::HardCall call(y, weights, problem, control);
  const KernelStore::Budget budget{call.cache_bytes(), call.limits.tol >= 1e-5,
                                   asks_for_few_rows(call.solver)};
  MixedRows none;
  none.originals = call.omega.size();
  Monitor monitor(call.limits, 1, Rcpp::checkUserInterrupt, [](double, double) {});
  Rcpp::List result;
  const auto solve = [&](const KernelStore& store, double sigma, const Vec& scales) {
    const Gram data(store.working(), call.constant()), exact(store.exact(), call.constant());
    call.with_rows(data, [&](const MarginRows& rows) {
      call.with_rows(exact, [&](const MarginRows& judge) {
        const HardReport r = call.solve(rows, judge, store.reserved());
        result = Rcpp::List::create(
            Rcpp::Named("scales") = scales, Rcpp::Named("sigma") = sigma,
            Rcpp::Named("bytes") = store.working().bytes(),
            Rcpp::Named("solutions") = Rcpp::List::create(answer_of(call, r, judge)));
      });
    });
  };
  border::with_kernel(x, problem["kernel"], {call.omega, call.ask.flag("scale")}, none, budget,
                      monitor, solve);
  return result;
}
