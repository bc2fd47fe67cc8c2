// Export for the tests of the augmented family: what its stochastic methods draw.
#include "border/augmented.h"
#include "border/dispatch_augmented.h"
#include "border/dispatch_loss.h"

using namespace dualmargin;
using namespace dualmargin::augmented;

// The rows (from 1) and their values as a fit with this seed sees them, one column a draw, for as
// many epochs as asked for, with 1 / (q_i n) of every draw and the L that steps are made of.
// [[Rcpp::export(rng = false)]]
Rcpp::List probe_draws_cpp(SEXP x, const Rcpp::NumericVector& y, const Rcpp::NumericVector& weights,
                           const Rcpp::List& problem, const Rcpp::List& run) {
  const border::Options ask(problem), option(run);
  const Vec labels = border::vec(y), omega = border::vec(weights);
  const border::RowStore rows(x, omega, false);
  const AnyLoss loss = any_loss(ask.text("loss"), ask.number("parameter"), ask.flag("regression"));
  const Perturbation rho =
      perturbation(problem["perturbation"], option.flag("balanced"), Rf_isS4(x));
  Sampler sampler(static_cast<std::uint64_t>(option.number("seed")));
  Run fit(Run::Limits(), 1, Rcpp::checkUserInterrupt, [](double, double) {});
  std::vector<int> visited;
  std::vector<double> values, correction;
  double smoothness = 0;
  rows.visit(0.0, [&](const auto& data) {
    const ExpectedErm p(data, labels, omega, loss, rho, ElasticNet(), nullptr);
    Draws draws(p, augmented_options(option), sampler, fit);
    smoothness = draws.smoothness();
    for (int epoch = 0; epoch < option.number("epochs"); ++epoch) {
      draws.epoch([&](Index i, const double* xi) {
        visited.push_back(static_cast<int>(i) + 1);
        correction.push_back(draws.correction(i));
        const std::size_t first = values.size();
        values.resize(first + data.dim());
        data.for_each_place(i, [&](Index k, Index j) { values[first + j] = xi[k]; });
      });
    }
  });
  Rcpp::NumericMatrix seen(static_cast<int>(rows.columns()), static_cast<int>(visited.size()));
  std::copy(values.begin(), values.end(), seen.begin());
  return Rcpp::List::create(Rcpp::Named("rows") = visited, Rcpp::Named("values") = seen,
                            Rcpp::Named("correction") = correction,
                            Rcpp::Named("smoothness") = smoothness);
}
