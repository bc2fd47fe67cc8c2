// For the tests of the augmented family: random numbers and what becomes of rows, what its
// stochastic methods draw, expectations in closed form, the limit of a gradient known through its
// batches.
#pragma once

#include "augmented/confidence.h"
#include "augmented/draws.h"
#include "augmented/gaussian_loss.h"
#include "border/augmented.h"
#include "border/dispatch_augmented.h"
#include "border/dispatch_loss.h"
#include "probes/probe.h"
#include "rows/row_store.h"

namespace dualmargin::augmented {

// The uniform numbers of coordinates 1, ..., count at every visit (a row and a number, both from
// 0), one column a visit. kind: "lattice" of events of probability `share`, "mirrors",
// "independent".
inline Rcpp::NumericMatrix probe_uniforms(double seed, const std::string& kind, double share,
                                          const Rcpp::IntegerVector& row,
                                          const Rcpp::NumericVector& number, int count) {
  const Cycle cycle = kind == "lattice"   ? Cycle::lattice(share)
                      : kind == "mirrors" ? Cycle::mirrors()
                                          : Cycle::independent();
  Rcpp::NumericMatrix u(count, row.size());
  for (int v = 0; v < row.size(); ++v) {
    const Uniforms at(static_cast<std::uint64_t>(seed), cycle,
                      {row[v], static_cast<std::uint64_t>(number[v])});
    for (int k = 0; k < count; ++k) u(k, v) = at.uniform(k);
  }
  return u;
}

// Rows of x (from 0) as a chain shows them at the given visits, one column a visit, the constant
// column `bias` last if it is not 0; and the length of the chain's cycle.
inline Rcpp::List probe_perturbation(SEXP x, const Rcpp::List& steps, double seed, bool balanced,
                                     double bias, const Rcpp::IntegerVector& row,
                                     const Rcpp::NumericVector& number) {
  const Perturbation rho = perturbation(steps, balanced, Rf_isS4(x));
  const RowStore rows(border::view(x));
  std::vector<Visit> visits;
  for (int v = 0; v < row.size(); ++v) {
    visits.push_back({row[v], static_cast<std::uint64_t>(number[v])});
  }
  Rcpp::NumericMatrix seen(static_cast<int>(rows.columns()) + (bias != 0), row.size());
  rows.visit(bias, [&](const auto& data) {
    const RowVec none = RowVec::Zero(data.n());
    Team team;
    const Rows all(data, none, none, team);
    PerturbedRows shown(all, rho, static_cast<std::uint64_t>(seed));
    double* at = seen.begin();
    shown.each(visits, [&](Index, const ShownRow& xi) {
      xi.for_each_place([&](Index k, Index j) { at[j] = xi[k]; });
      at += seen.nrow();
    });
  });
  return Rcpp::List::create(Rcpp::Named("values") = seen,
                            Rcpp::Named("cycle") = static_cast<double>(rho.cycle()));
}

// The limit of |G|^2 at t standard deviations, from vectors of mean G, one column each.
inline double probe_confidence_limit(const Rcpp::NumericMatrix& batches, double t) {
  SpreadOf all(batches.ncol());
  Vec p(batches.ncol());
  for (int j = 0; j < batches.nrow(); ++j) {
    for (int b = 0; b < batches.ncol(); ++b) p[b] = batches(j, b);
    all.add(p);
  }
  return all.spread().limit(t);
}

inline Rcpp::NumericVector probe_normal_quantile(const Rcpp::NumericVector& p) {
  Rcpp::NumericVector q(p.size());
  for (R_xlen_t k = 0; k < p.size(); ++k) q[k] = normal_quantile(p[k]);
  return q;
}

// The rows (from 1) and their values as a fit with this seed sees them, one column a draw, for as
// many epochs as asked for, with 1 / (q_i n) of every draw and the L that steps are made of.
inline Rcpp::List probe_draws(SEXP x, const Rcpp::NumericVector& y,
                              const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                              const Rcpp::List& run) {
  const border::Options ask(problem), option(run);
  const RowVec labels(border::vec(y)), omega(border::vec(weights));
  const RowStore rows(border::view(x));
  const LossPtr loss = any_loss(ask.text("loss"), ask.number("parameter"), ask.flag("regression"));
  const Perturbation rho =
      perturbation(problem["perturbation"], option.flag("balanced"), Rf_isS4(x));
  Sampler sampler(static_cast<std::uint64_t>(option.number("seed")));
  Run fit = probes::quiet_run();
  std::vector<int> visited;
  std::vector<double> values, correction;
  double smoothness = 0;
  Team team;
  rows.visit(0.0, [&](const auto& data) {
    const ExpectedErm p{Rows(data, labels, omega, team), loss, rho, ElasticNet(), nullptr};
    Draws draws(p, augmented_options(option), sampler, fit);
    smoothness = draws.smoothness();
    for (int epoch = 0; epoch < option.number("epochs"); ++epoch) {
      draws.epoch([&](Index i, const ShownRow& xi) {
        visited.push_back(static_cast<int>(i) + 1);
        correction.push_back(draws.correction(i));
        const std::size_t first = values.size();
        values.resize(first + data.dim());
        xi.for_each_place([&](Index k, Index j) { values[first + j] = xi[k]; });
      });
    }
  });
  Rcpp::NumericMatrix seen(static_cast<int>(rows.columns()), static_cast<int>(visited.size()));
  std::copy(values.begin(), values.end(), seen.begin());
  return Rcpp::List::create(Rcpp::Named("rows") = visited, Rcpp::Named("values") = seen,
                            Rcpp::Named("correction") = correction,
                            Rcpp::Named("smoothness") = smoothness);
}

// One row a score: E phi(m + tau e; y), and its first and second derivative in m.
inline Rcpp::NumericMatrix probe_normal_mean(const std::string& loss, double parameter,
                                             const Rcpp::NumericVector& m, double tau, double y) {
  return with_loss(loss, parameter, [&](const auto& phi) {
    Rcpp::NumericMatrix out(m.size(), 3);
    if constexpr (!of_numbers<std::decay_t<decltype(phi)>>) {
      const auto law = under_normal_noise(phi);
      for (int k = 0; k < m.size(); ++k) {
        const LossMeans mean = mean_loss(phi, law, m[k], y, tau);
        out(k, 0) = mean.value;
        out(k, 1) = mean.slope;
        out(k, 2) = mean.curvature;
      }
    }
    return out;
  });
}

// The mean loss over the perturbations at w, the bias coordinate last when there is one, and its
// gradient.
inline Rcpp::List probe_expectation(SEXP x, const Rcpp::NumericVector& y,
                                    const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                                    const Rcpp::NumericVector& w) {
  const border::Options ask(problem);
  const RowVec labels(border::vec(y)), omega(border::vec(weights));
  const Vec point = border::vec(w);
  const RowStore rows(border::view(x));
  const Perturbation rho = perturbation(problem["perturbation"], true, Rf_isS4(x));
  Rcpp::List out;
  Team team;
  Run run = probes::quiet_run();
  rows.visit(ask.flag("penalized") ? 1.0 : 0.0, [&](const auto& data) {
    const Expectation mean = closed_form(Rows(data, labels, omega, team), ask, rho, run);
    if (!mean) throw std::invalid_argument("the mean over the perturbations is not known");
    Vec gradient(data.dim());
    const double value = mean(point, gradient, run);
    out = Rcpp::List::create(Rcpp::Named("value") = value,
                             Rcpp::Named("gradient") = Rcpp::wrap(gradient));
  });
  return out;
}

inline void add_probes(probes::Table& table) {
  table.add("uniforms", probe_uniforms);
  table.add("perturbation", probe_perturbation);
  table.add("confidence_limit", probe_confidence_limit);
  table.add("normal_quantile", probe_normal_quantile);
  table.add("draws", probe_draws);
  table.add("normal_mean", probe_normal_mean);
  table.add("expectation", probe_expectation);
}

}  // namespace dualmargin::augmented
