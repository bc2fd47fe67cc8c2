// Glue of margin_hard() on a kernel: names to types, then one call.
#include "border_hard.h"
#include "border_kernel_store.h"

using namespace dualmargin;

namespace {

// w: scores of all examples, without a free intercept.
Rcpp::List answer_of(const border::HardCall& call, const HardReport& r, const MarginRows& rows,
                     const border::RowsOfKernel& own) {
  const Mat beta = call.length() * rows.coefficients(r.solution.c);
  const Index n = beta.rows(), k = beta.cols();
  const Mat scores =
      (call.length() * Eigen::Map<const Mat>(r.solution.w.data(), n, k)).array() + r.solution.b;
  Vec b = call.penalized() ? Vec(beta.colwise().sum().transpose()) : Vec::Constant(k, r.solution.b);
  for (Index c = 0; c < k; ++c) b[c] -= own.shift(beta.col(c));
  return border::as_list(r, beta, b, scores);
}

// The stored entries of the longest row.
Index longest_row(SEXP x) {
  if (!Rf_isS4(x)) return Rf_ncols(x);
  const Rcpp::S4 matrix(x);
  const bool by_column = Rf_inherits(x, "dgCMatrix");
  const Rcpp::IntegerVector dim = matrix.slot("Dim"), p = matrix.slot("p");
  std::vector<Index> count(dim[0], 0);
  if (by_column) {
    for (const int i : Rcpp::IntegerVector(matrix.slot("i"))) ++count[i];
  } else {
    for (int i = 0; i < dim[0]; ++i) count[i] = p[i + 1] - p[i];
  }
  return *std::max_element(count.begin(), count.end());
}

// How far rounding can have moved a kernel value, a share of the root of the two diagonal ones.
// Inner products are sums; a power of them multiplies their share by its degree. exp(-s t) turns an
// error e of t into s e exp(-s t): a share of t, which arguments.h keeps below twice 64 times that
// of the norms, becomes 1/e of it. What is given by its values is what they are.
double rounding_of_values(const Rcpp::List& kernel, Index longest) {
  const border::Options of_kernel(kernel);
  const std::string name = of_kernel.text("name");
  if (name == "precomputed" || name == "evaluated") return 0;
  const double of_sum = unit_rounding * (units_of_sum(longest) + 4);
  if (name == "linear") return of_sum;
  if (name == "polynomial") return of_kernel.number("degree") * of_sum;
  return 0.37 * 128 * of_sum;
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
  const border::HardCall call(y, weights, problem, control);
  const KernelStore::Budget budget{call.cache_bytes(), call.limits.tol >= 1e-5,
                                   asks_for_few_rows(call.solver)};
  MixedRows none;
  none.originals = call.omega.size();
  Monitor monitor(call.limits, 1, Rcpp::checkUserInterrupt, [](double, double) {});
  Rcpp::List result;
  const Rcpp::List kernel(problem["kernel"]);
  const bool formula = !Rf_isNull(x);
  const double of_values = formula ? rounding_of_values(kernel, longest_row(x)) : 0;
  const auto solve = [&](const KernelStore& store, const border::RowsOfKernel& own) {
    const Gram data(store.working(), call.constant()), exact(store.exact(), call.constant());
    call.with_rows(data, of_values, [&](const MarginRows& rows) {
      call.with_rows(exact, of_values, [&](const MarginRows& judge) {
        const HardReport r = formula && vanishes(x, store.exact())
                                 ? border::HardCall::broken(judge)
                                 : call.solve(rows, judge, store.reserved());
        result = Rcpp::List::create(
            Rcpp::Named("scales") = own.scales, Rcpp::Named("sigma") = own.sigma,
            Rcpp::Named("bytes") = store.working().bytes(),
            Rcpp::Named("solutions") = Rcpp::List::create(answer_of(call, r, judge, own)));
      });
    });
  };
  const double beyond = border::with_kernel(
      x, kernel, {call.omega, call.ask.flag("scale"), call.free()}, none, budget, monitor, solve);
  return beyond == 0 ? result : Rcpp::List::create(Rcpp::Named("beyond") = beyond);
}
