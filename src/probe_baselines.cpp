// Export for the tests of the augmented family: what its stochastic methods draw.
#include "border_augmented.h"
#include "dispatch_augmented.h"
#include "dispatch_loss.h"

using namespace dualmargin;

// The rows (from 1) and their values as a fit with this seed sees them, one column a draw, for as
// many epochs as asked for, with 1 / (q_i n) of every draw and the L that steps are made of. The
// run is one of a method that stays at zero: certificates take seeds from the stream of the draws,
// `averages_from` epochs on for the average too.
// [[Rcpp::export(rng = false)]]
Rcpp::List probe_draws_cpp(SEXP x, const Rcpp::NumericVector& y, const Rcpp::NumericVector& weights,
                           const Rcpp::List& problem, const Rcpp::List& run) {
  const border::Options ask(problem), option(run);
  const Vec labels = border::vec(y), omega = border::vec(weights);
  const border::Rows rows(x, omega, false);
  const ElasticNet penalty = ElasticNet::from(ask.number("lambda"), ask.number("mixture"));
  const AnyLoss loss = any_loss(ask.text("loss"), ask.number("parameter"), ask.flag("regression"));
  const Perturbation rho =
      border::perturbation(problem["perturbation"], option.flag("balanced"), Rf_isS4(x));
  const double epochs = option.number("epochs"), averages_from = option.number("averages_from");
  const Monitor::Limits limits{1e-300, epochs, HUGE_VAL, false};
  ConfidenceOptions confidence;
  Sampler sampler(static_cast<std::uint64_t>(option.number("seed")));
  std::vector<int> visited;
  std::vector<double> values, correction;
  double smoothness = 0;
  rows.visit(0.0, [&](const auto& data) {
    const ExpectedErm p(data, labels, omega, loss, rho, penalty, nullptr);
    Monitor monitor(limits, p.null_value(), Rcpp::checkUserInterrupt, [](double, double) {});
    Assessment assess(p, confidence, sampler, monitor);
    Draws draws(p, augmented_options(option), sampler, monitor);
    smoothness = draws.smoothness();
    const Vec zero = Vec::Zero(data.dim());
    Vec w;
    double epoch = 0;
    const auto certify = [&] {
      return assess(
          zero, epoch > averages_from, [&] { return zero; }, w);
    };
    while (monitor.proceed(epoch, certify, assess.price)) {
      draws.epoch([&](Index i, const double* xi) {
        visited.push_back(static_cast<int>(i) + 1);
        correction.push_back(draws.correction(i));
        const std::size_t first = values.size();
        values.resize(first + data.dim());
        data.for_each_place(i, [&](Index k, Index j) { values[first + j] = xi[k]; });
      });
      epoch += 1;
    }
  });
  Rcpp::NumericMatrix seen(static_cast<int>(rows.columns()), static_cast<int>(visited.size()));
  std::copy(values.begin(), values.end(), seen.begin());
  return Rcpp::List::create(Rcpp::Named("rows") = visited, Rcpp::Named("values") = seen,
                            Rcpp::Named("correction") = correction,
                            Rcpp::Named("smoothness") = smoothness);
}
