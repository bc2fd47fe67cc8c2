// Exports for the tests of expectations in closed form.
#include "border/augmented.h"
#include "border/dispatch_augmented.h"

using namespace dualmargin;
using namespace dualmargin::augmented;

// One row a score: E phi(m + tau e; y), and its first and second derivative in m.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix probe_normal_mean_cpp(const std::string& loss, double parameter,
                                          const Rcpp::NumericVector& m, double tau, double y = 1) {
  return with_loss(loss, parameter, [&](const auto& phi) {
    const auto law = under_normal_noise(phi);
    Rcpp::NumericMatrix out(m.size(), 3);
    for (int k = 0; k < m.size(); ++k) {
      const LossMeans mean = mean_loss(phi, law, m[k], y, tau);
      out(k, 0) = mean.value;
      out(k, 1) = mean.slope;
      out(k, 2) = mean.curvature;
    }
    return out;
  });
}

// The mean loss over the perturbations at w, the bias coordinate last when there is one, and its
// gradient.
// [[Rcpp::export(rng = false)]]
Rcpp::List probe_expectation_cpp(SEXP x, const Rcpp::NumericVector& y,
                                 const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                                 const Rcpp::NumericVector& w) {
  const border::Options ask(problem);
  const Vec labels = border::vec(y), omega = border::vec(weights), point = border::vec(w);
  const border::RowStore rows(x, omega, false);
  const Perturbation rho = perturbation(problem["perturbation"], true, Rf_isS4(x));
  Rcpp::List out;
  rows.visit(ask.flag("penalized") ? 1.0 : 0.0, [&](const auto& data) {
    const Expectation mean = closed_form(data, labels, omega, ask.text("loss"),
                                         ask.number("parameter"), ask.flag("regression"), rho);
    if (!mean) throw std::invalid_argument("the mean over the perturbations is not known");
    Vec gradient(data.dim());
    const double value = mean(point, gradient);
    out = Rcpp::List::create(Rcpp::Named("value") = value,
                             Rcpp::Named("gradient") = Rcpp::wrap(gradient));
  });
  return out;
}
