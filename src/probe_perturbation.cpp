// Exports for the tests of perturbations: the random numbers, what becomes of rows, and the limit
// of a gradient that is known through its batches only.
#include "augmented/confidence_limit.h"
#include "border/augmented.h"

using namespace dualmargin;
using namespace dualmargin::augmented;

// The uniform numbers of coordinates 1, ..., count at every visit (a row and a number, both from
// 0), one column a visit. kind: "lattice" of events of probability `share`, "mirrors",
// "independent".
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix probe_uniforms_cpp(double seed, const std::string& kind, double share,
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
// [[Rcpp::export(rng = false)]]
Rcpp::List probe_perturbation_cpp(SEXP x, const Rcpp::List& steps, double seed, bool balanced,
                                  double bias, const Rcpp::IntegerVector& row,
                                  const Rcpp::NumericVector& number) {
  const Perturbation rho = perturbation(steps, balanced, Rf_isS4(x));
  const border::RowStore rows(x, Vec(), false);
  std::vector<Visit> visits;
  for (int v = 0; v < row.size(); ++v) {
    visits.push_back({row[v], static_cast<std::uint64_t>(number[v])});
  }
  Rcpp::NumericMatrix seen(static_cast<int>(rows.columns()) + (bias != 0), row.size());
  rows.visit(bias, [&](const auto& data) {
    PerturbedRows shown(data, rho, static_cast<std::uint64_t>(seed));
    double* at = seen.begin();
    shown.each(visits, [&](Index i, const double* xi) {
      data.for_each_place(i, [&](Index k, Index j) { at[j] = xi[k]; });
      at += seen.nrow();
    });
  });
  return Rcpp::List::create(Rcpp::Named("values") = seen,
                            Rcpp::Named("cycle") = static_cast<double>(rho.cycle()));
}

// The limit of |G|^2 at t standard deviations, from vectors of mean G, one column each.
// [[Rcpp::export(rng = false)]]
double probe_confidence_limit_cpp(const Rcpp::NumericMatrix& batches, double t) {
  SpreadOf all(batches.ncol());
  Vec p(batches.ncol());
  for (int j = 0; j < batches.nrow(); ++j) {
    for (int b = 0; b < batches.ncol(); ++b) p[b] = batches(j, b);
    all.add(p);
  }
  return all.spread().limit(t);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector probe_normal_quantile_cpp(const Rcpp::NumericVector& p) {
  Rcpp::NumericVector q(p.size());
  for (R_xlen_t k = 0; k < p.size(); ++k) q[k] = normal_quantile(p[k]);
  return q;
}
