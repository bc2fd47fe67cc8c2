// Exports for the tests of the robust family: one projection or certificate at a time.
#include "border.h"
#include "dispatch_robust.h"

using namespace dualmargin;

// The columns of x with the entries of s, one point each, projected onto |w|_q <= t in the metric
// diag(m I, 1), or onto the ball of radius s; the last row of the answer is t or the multiplier.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix probe_projection_cpp(const Rcpp::NumericMatrix& x, const Rcpp::NumericVector& s,
                                         const std::string& norm, double m, bool ball) {
  const Norm q = norm_from(norm);
  const Index d = x.nrow();
  Rcpp::NumericMatrix out(x.nrow() + 1, x.ncol());
  for (int k = 0; k < x.ncol(); ++k) {
    Vec w = border::vec(Rcpp::NumericVector(x.column(k)));
    double t = s[k];
    if (ball) {
      t = project_ball(q, s[k], w);
    } else {
      project_epigraph(q, m, w, t);
    }
    for (Index j = 0; j < d; ++j) out(j, k) = w[j];
    out(d, k) = t;
  }
  return out;
}

// The certificate of any point (w, b, t), (alpha, beta) on the columns as they are, and the point
// made feasible. w has the bias coordinate last when the intercept is penalised.
// [[Rcpp::export(rng = false)]]
Rcpp::List probe_robust_certificate_cpp(SEXP x, const Rcpp::NumericVector& y,
                                        const Rcpp::NumericVector& weights,
                                        const Rcpp::List& problem, const Rcpp::List& point) {
  const border::Options ask(problem);
  const Vec labels = border::vec(y), omega = border::vec(weights);
  const border::Rows rows(x, omega, false);
  const std::string intercept = ask.text("intercept");
  const RobustSettings settings{norm_from(ask.text("norm")), ask.number("radius"),
                                ask.number("label_cost"), ask.number("ridge")};
  Monitor monitor(
      {}, 1, [] {}, [](double, double) {});
  RobustPoint s;
  s.w = border::vec(point["w"]);
  s.b = Rcpp::as<double>(point["b"]);
  s.t = Rcpp::as<double>(point["t"]);
  s.alpha = border::vec(point["alpha"]);
  s.beta = border::vec(point["beta"]);
  double best_t = 0;
  const Certificate c = rows.visit(intercept == "penalized" ? 1.0 : 0.0, [&](const auto& data) {
    const RobustSvm p(data, labels, omega, settings, intercept == "free");
    best_t = p.best_t(s.w, p.scores(s.w, s.b, monitor));
    return p.certify(s, monitor);
  });
  return Rcpp::List::create(Rcpp::Named("value") = c.value, Rcpp::Named("bound") = c.bound,
                            Rcpp::Named("gap") = c.gap, Rcpp::Named("t") = s.t,
                            Rcpp::Named("best_t") = best_t, Rcpp::Named("alpha") = s.alpha,
                            Rcpp::Named("beta") = s.beta);
}
