// Glue of margin_hard(): names to types, then one call.
#include "border/hard.h"

#include "border/kernel_store.h"
#include "border/refit_hard.h"

using namespace dualmargin;
using namespace dualmargin::hard;

namespace dualmargin::hard {

Report solved_to(const border::FitCall& call, const Rows& rows, bool free, double tol, Tick& tick) {
  const ExampleRows examples(rows, 1);
  const HardMargin problem(examples, free);
  Run run = border::another_run(call, tol, 0, tick);
  Sampler draws(call.seed);
  const double cache_bytes = 1e6 * call.option.number("cache_mb");
  return report(problem, solve_hard(call.solver, problem, call.option, cache_bytes, draws, run),
                run);
}

}  // namespace dualmargin::hard

// [[Rcpp::export(rng = false)]]
Rcpp::List fit_hard_cpp(SEXP x, const Rcpp::NumericVector& y, const Rcpp::NumericVector& weights,
                        const Rcpp::List& problem, const Rcpp::List& control) {
  HardCall call(y, weights, problem, control);
  // where the intercept is free the margin does not hang on where the origin is
  const RowStore rows(border::view(x), call.omega.local(), call.problem.flag("scale"),
                      call.free() ? Origin::exact : Origin::fixed, call.team, Reading::one_by_one,
                      Vec(), call.setup());
  const auto data = rows.storage(call.constant());
  const ExampleRows a = call.rows(*data);
  const Report r = call.solve(a, a, 0);
  const Index p = rows.scales().size(), dim = data->dim(), k = a.dim() / dim;
  const Mat w = call.length() * Eigen::Map<const Mat>(r.solution.w.data(), dim, k);
  Vec b = call.penalized() ? Vec(w.row(p).transpose()) : Vec::Constant(k, r.solution.b);
  const Mat slopes = w.topRows(p).array().colwise() / rows.scales().array();
  const Vec near = b;
  if (call.free()) b -= slopes.transpose() * rows.centre();
  return Rcpp::List::create(Rcpp::Named("scales") = rows.scales(),
                            Rcpp::Named("origin") = rows.centre(),
                            Rcpp::Named("solutions") = call.answer(r, slopes, b, near));
}

namespace {

// Are all values zero, or without digits, although not all rows lie at the origin?
bool vanishes(SEXP x, const Vec& origin, const KernelMatrix& kernel) {
  for (Index i = 0; i < kernel.n(); ++i) {
    if (!(kernel.diagonal(i) < 1e-280)) return false;
  }
  const MatrixView view = border::view(x);
  const Vec at = origin.size() > 0 ? origin : Vec::Zero(view.p);
  Vec zeros = Vec::Constant(view.p, static_cast<double>(view.n));  // that are not stored
  bool any = false;
  view.for_each([&](Index j, double value) {
    any = any || value != at[j];
    zeros[j] -= 1;
  });
  return any || (zeros.array() > 0 && at.array() != 0).any();
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List fit_hard_kernel_cpp(SEXP x, const Rcpp::NumericVector& y,
                               const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                               const Rcpp::List& control) {
  HardCall call(y, weights, problem, control);
  const kernel::KernelStore::Budget budget{call.cache_bytes(), call.limits.tol,
                                           asks_for_few_rows(call.solver)};
  kernel::MixedRows none;
  none.originals = call.omega.size();
  Run run = call.quiet_run();
  Rcpp::List result;
  const Rcpp::List asked(problem["kernel"]);
  const bool formula = !Rf_isNull(x);
  // what is given by its values is what they are
  const bool computed = formula && Rcpp::as<std::string>(asked["name"]) != "precomputed";
  const auto solve = [&](const kernel::KernelStore& store, const kernel::RowsOfKernel& own) {
    const Gram working(store.working(), call.constant()), exact(store.exact(), call.constant());
    const double of_values = computed ? 2 * rounding::unit * store.size().error.maxCoeff() : 0.0;
    const KernelSize& size = store.size();
    const auto rows = call.rows(working, of_values, size.allowance, size.given),
               judge = call.rows(exact, of_values, size.allowance, size.given);
    const Report r = formula && vanishes(x, own.origin, store.exact())
                         ? HardCall::broken(judge)
                         : call.solve(rows, judge, store.reserved());
    const Mat beta = call.length() * judge.coefficients(r.solution.c);
    Vec b = call.penalized() ? Vec(beta.colwise().sum().transpose())
                             : Vec::Constant(beta.cols(), r.solution.b);
    const Vec near = b;
    for (Index c = 0; c < b.size(); ++c) b[c] -= own.shift(beta.col(c));
    result = Rcpp::List::create(
        Rcpp::Named("scales") = own.scales, Rcpp::Named("origin") = own.origin,
        Rcpp::Named("sigma") = own.sigma, Rcpp::Named("bytes") = store.working().bytes(),
        Rcpp::Named("judged") = store.judged().factored,
        Rcpp::Named("solutions") = call.answer(r, beta, b, near));
  };
  const kernel::Refused refused =
      with_kernel(x, asked, {call.omega.local(), call.problem.flag("scale"), call.free(), false},
                  none, budget, call.team, run, solve);
  return refused ? refused.list() : result;
}
