// For the tests: one loss, penalty, sampler, factorisation or certificate at a time.
#pragma once

#include "algebra/cholesky.h"
#include "algebra/lazy.h"
#include "border/border.h"
#include "border/dispatch_joint.h"
#include "border/dispatch_loss.h"
#include "linear/problem.h"
#include "probes/probe.h"
#include "rows/row_store.h"
#include "run/relay.h"

namespace dualmargin::linear {

inline Rcpp::NumericVector probe_loss(std::string loss, double parameter, std::string what,
                                      Rcpp::NumericVector z, Rcpp::NumericVector y,
                                      Rcpp::NumericVector a, double q) {
  Rcpp::NumericVector out(z.size());
  const LossPtr phi = loss_by_name(loss, parameter);
  for (R_xlen_t i = 0; i < z.size(); ++i) {
    if (what == "value") out[i] = phi->value(z[i], y[i]);
    if (what == "slope") out[i] = phi->slope(z[i], y[i]);
    if (what == "conjugate") out[i] = phi->conjugate(a[i], y[i]);
    if (what == "score") out[i] = phi->score(a[i], y[i]);
    if (what == "dual_step") out[i] = phi->dual_step(z[i], y[i], a[i], q);
    if (what == "curvature") {
      out[i] = phi->curvature(z[i], y[i], a[i], q, phi->dual_step(z[i], y[i], a[i], q));
    }
    if (what == "gamma") out[i] = phi->gamma();
    if (what == "excess") out[i] = phi->excess(z[i], a[i], y[i]);
    if (what == "nearest") out[i] = phi->nearest(a[i], y[i]);
    if (what == "tilt") out[i] = phi->tilt(a[i], y[i]);
    if (what == "least_curvature") out[i] = phi->least_curvature(z[i] - q, z[i] + q, y[i]);
  }
  return out;
}

inline Rcpp::NumericVector probe_penalty(double l1, double l2, std::string what,
                                         Rcpp::NumericVector v, double step) {
  const ElasticNet g{l1, l2};
  Rcpp::NumericVector out(v.size());
  for (R_xlen_t j = 0; j < v.size(); ++j) {
    if (what == "value") out[j] = g.value(v[j]);
    if (what == "conjugate") out[j] = g.conjugate(v[j]);
    if (what == "grad_conjugate") out[j] = g.grad_conjugate(v[j]);
    if (what == "prox") out[j] = g.prox(v[j], step);
  }
  return out;
}

inline Rcpp::NumericVector probe_sampler(double seed, std::string what, double n, int draws,
                                         Rcpp::NumericVector weights) {
  Sampler sampler(static_cast<std::uint64_t>(seed));
  Rcpp::NumericVector out(draws);
  std::vector<Index> order(what == "shuffle" ? static_cast<Index>(n) : 0);
  std::iota(order.begin(), order.end(), Index{0});
  std::vector<double> totals(weights.begin(), weights.end());
  std::partial_sum(totals.begin(), totals.end(), totals.begin());
  if (what == "shuffle") sampler.shuffle(order);
  for (int k = 0; k < draws; ++k) {
    if (what == "below") out[k] = static_cast<double>(sampler.below(static_cast<Index>(n)));
    if (what == "uniform") out[k] = sampler.uniform();
    if (what == "weighted") out[k] = static_cast<double>(sampler.weighted(totals));
    if (what == "shuffle") out[k] = static_cast<double>(order[k]);
  }
  return out;
}

// k steps of w <- prox(w - step drift) at once.
inline double probe_lazy(int k, double w, double drift, double step, double l1, double l2) {
  return LazyProx(step, l1, l2).many(k, w, drift);
}

// Stages that get nowhere, one epoch a step: the epochs at which they end.
inline std::vector<double> probe_stages(const std::vector<double>& patience, double gap) {
  Run run = probes::quiet_run();
  std::vector<double> ends;
  std::vector<Stage<int>> stages;
  for (const double share : patience) {
    stages.push_back({StopRule(), [&, share](int) {
                        run.be_patient(share);
                        while (run.proceed([&] { return Certificate(1, gap); }, 0)) run.spend(1);
                        ends.push_back(run.epoch());
                        return 0;
                      }});
  }
  relay(0, stages, run, [](int, int) { return 0; });
  return ends;
}

// The solution of A x = right by the blocked factorisation; empty when A is not positive definite.
inline Rcpp::NumericVector probe_cholesky(Rcpp::NumericMatrix A, Rcpp::NumericVector right) {
  Run run = probes::quiet_run();
  Cholesky factor;
  if (!factor.factor(Eigen::Map<const Mat>(A.begin(), A.nrow(), A.ncol()), run)) {
    return Rcpp::NumericVector(0);
  }
  return Rcpp::wrap(factor.solve(border::vec(right)));
}

// The certificate of a given pair (w, b), a on the columns as they are. w has the bias coordinate
// last when the intercept is penalised.
inline Rcpp::List probe_certificate(SEXP x, Rcpp::NumericVector y, Rcpp::NumericVector weights,
                                    Rcpp::List problem, Rcpp::NumericVector w, double b,
                                    Rcpp::NumericVector a) {
  const border::Options ask(problem);
  const RowVec labels(border::vec(y)), omega(border::vec(weights));
  const RowStore rows(border::view(x));
  const std::string intercept = ask.text("intercept");
  Run run = probes::quiet_run();
  Solution s;
  s.w = border::vec(w);
  s.b = b;
  s.a = RowVec(border::vec(a));
  const Certificate c = rows.visit(intercept == "penalized" ? 1.0 : 0.0, [&](const auto& data) {
    const LossPtr loss = loss_by_name(ask.text("loss"), ask.number("parameter"));
    Team team;
    const Rows samples(data, labels, omega, team);
    const ElasticNet g = ElasticNet::from(ask.number("lambda"), ask.number("mixture"));
    return LinearProblem(samples, loss, g, intercept == "free").certify(s, run);
  });
  return Rcpp::List::create(Rcpp::Named("value") = c.value, Rcpp::Named("bound") = c.bound,
                            Rcpp::Named("gap") = c.gap, Rcpp::Named("rounding") = c.rounding,
                            Rcpp::Named("dual") = s.a.local());
}

// As probe_certificate(), for one problem of all classes: y from 1, w and u with a column for each
// class, u on the simplex row by row.
inline Rcpp::List probe_joint_certificate(SEXP x, const Rcpp::NumericVector& y,
                                          const Rcpp::NumericVector& weights,
                                          const Rcpp::List& problem, const Rcpp::NumericMatrix& w,
                                          const Rcpp::NumericVector& b,
                                          const Rcpp::NumericMatrix& u) {
  const border::Options ask(problem);
  const RowVec labels(border::vec(y)), omega(border::vec(weights));
  const RowStore rows(border::view(x));
  const bool free = ask.text("intercept") == "free";
  std::vector<Index> label;
  for (const double code : y) label.push_back(static_cast<Index>(code) - 1);
  Run run = probes::quiet_run();
  Team team;
  JointSolution s;
  s.w = border::mat(w);
  s.b = border::vec(b);
  s.a = RowMat(border::mat(u).transpose());
  Certificate c;
  rows.visit(0.0, [&](const auto& data) {
    const JointProblem p(Rows(data, labels, omega, team), label,
                         class_loss(ask.text("loss"), s.b.size()),
                         ElasticNet{0, ask.number("lambda")}, free);
    c = p.certify(s, run);
    return 0;
  });
  return Rcpp::List::create(Rcpp::Named("value") = c.value, Rcpp::Named("bound") = c.bound,
                            Rcpp::Named("gap") = c.gap, Rcpp::Named("rounding") = c.rounding,
                            Rcpp::Named("dual") = Mat(s.a.local().transpose()));
}

// One member of a soft loss, or of its regression form, entry by entry. "piece" gives four columns:
// low, high, score and curvature of dual_piece() at a.
inline Rcpp::NumericMatrix probe_soft_loss(const std::string& loss, double parameter,
                                           bool regression, const std::string& what,
                                           const Rcpp::NumericVector& z,
                                           const Rcpp::NumericVector& y,
                                           const Rcpp::NumericVector& a, double q) {
  const LossPtr phi = any_loss(loss, parameter, regression);
  const int n = z.size();
  Rcpp::NumericMatrix out(n, what == "piece" ? 4 : 1);
  for (int i = 0; i < n; ++i) {
    if (what == "value") out(i, 0) = phi->value(z[i], y[i]);
    if (what == "slope") out(i, 0) = phi->slope(z[i], y[i]);
    if (what == "conjugate") out(i, 0) = phi->conjugate(a[i], y[i]);
    if (what == "dual_step") out(i, 0) = phi->dual_step(z[i], y[i], a[i], q);
    if (what == "curvature") {
      out(i, 0) = phi->curvature(z[i], y[i], a[i], q, phi->dual_step(z[i], y[i], a[i], q));
    }
    if (what == "gamma") out(i, 0) = phi->gamma();
    if (what != "piece") continue;
    const DualPiece piece = phi->dual_piece(a[i], y[i]);
    out(i, 0) = piece.low;
    out(i, 1) = piece.high;
    out(i, 2) = piece.score;
    out(i, 3) = piece.curvature;
  }
  return out;
}

inline void add_probes(probes::Table& table) {
  table.add("loss", probe_loss);
  table.add("penalty", probe_penalty);
  table.add("sampler", probe_sampler);
  table.add("lazy", probe_lazy);
  table.add("stages", probe_stages);
  table.add("cholesky", probe_cholesky);
  table.add("certificate", probe_certificate);
  table.add("joint_certificate", probe_joint_certificate);
  table.add("soft_loss", probe_soft_loss);
}

}  // namespace dualmargin::linear
