// Glue of margin_hard() on a kernel: names to types, then one call.
#include "border/hard.h"
#include "border/kernel_store.h"

using namespace dualmargin;
using namespace dualmargin::hard;
using namespace dualmargin::kernel;

namespace {

// w: scores of all examples, without a free intercept.
Rcpp::List answer_of(const HardCall& call, const Report& r, const MarginRows& rows,
                     const RowsOfKernel& own) {
  const Mat beta = call.length() * rows.coefficients(r.solution.c);
  const Index n = beta.rows(), k = beta.cols();
  const Mat scores =
      (call.length() * Eigen::Map<const Mat>(r.solution.w.data(), n, k)).array() + r.solution.b;
  Vec b = call.penalized() ? Vec(beta.colwise().sum().transpose()) : Vec::Constant(k, r.solution.b);
  for (Index c = 0; c < k; ++c) b[c] -= own.shift(beta.col(c));
  return as_list(r, beta, b, scores);
}

// Are all values zero, or without digits, although the rows are not?
bool vanishes(SEXP x, const KernelMatrix& kernel) {
  for (Index i = 0; i < kernel.n(); ++i) {
    if (!(kernel.diagonal(i) < 1e-280)) return false;
  }
  const SEXP values = Rf_isS4(x) ? SEXP(Rcpp::S4(x).slot("x")) : x;
  for (R_xlen_t k = 0; k < Rf_xlength(values); ++k) {
    if (border::entry(values, k) != 0) return true;
  }
  return false;
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List fit_hard_kernel_cpp(SEXP x, const Rcpp::NumericVector& y,
                               const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                               const Rcpp::List& control) {
  const HardCall call(y, weights, problem, control);
  const KernelStore::Budget budget{call.cache_bytes(), call.limits.tol >= 1e-5,
                                   asks_for_few_rows(call.solver)};
  MixedRows none;
  none.originals = call.omega.size();
  Run run(call.limits, 1, Rcpp::checkUserInterrupt, [](double, double) {});
  Rcpp::List result;
  const Rcpp::List kernel(problem["kernel"]);
  const bool formula = !Rf_isNull(x);
  // what is given by its values is what they are
  const bool computed = formula && Rcpp::as<std::string>(kernel["name"]) != "precomputed";
  const auto solve = [&](const KernelStore& store, const RowsOfKernel& own) {
    const Gram data(store.working(), call.constant()), exact(store.exact(), call.constant());
    const double of_values =
        computed ? 2 * KernelSize::rounding * store.size().error.maxCoeff() : 0.0;
    call.with_rows(data, of_values, [&](const MarginRows& rows) {
      call.with_rows(exact, of_values, [&](const MarginRows& judge) {
        const Report r = formula && vanishes(x, store.exact())
                                 ? HardCall::broken(judge)
                                 : call.solve(rows, judge, store.reserved());
        result = Rcpp::List::create(
            Rcpp::Named("scales") = own.scales, Rcpp::Named("sigma") = own.sigma,
            Rcpp::Named("bytes") = store.working().bytes(),
            Rcpp::Named("solutions") = Rcpp::List::create(answer_of(call, r, judge, own)));
      });
    });
  };
  const double beyond =
      with_kernel(x, kernel, {call.omega, call.ask.flag("scale"), call.free(), false}, none, budget,
                  run, solve);
  return beyond == 0 ? result : Rcpp::List::create(Rcpp::Named("beyond") = beyond);
}
