// For the tests of the robust family: one projection, step or certificate at a time.
#pragma once

#include <thread>

#include "border/border.h"
#include "border/dispatch_robust.h"
#include "probes/probe.h"
#include "probes/ranks.h"
#include "robust/single_sample_prox.h"
#include "rows/row_store.h"

namespace dualmargin::robust {

// The columns of x with the entries of s, one point each, projected onto |w|_q <= t in the metric
// diag(m I, 1), or onto the ball of radius s; the last row of the answer is t or the multiplier.
inline Rcpp::NumericMatrix probe_projection(const Rcpp::NumericMatrix& x,
                                            const Rcpp::NumericVector& s, const std::string& norm,
                                            double m, bool ball) {
  const NormCone cone = norm_from(norm);
  const Index d = x.nrow();
  Rcpp::NumericMatrix out(x.nrow() + 1, x.ncol());
  for (int k = 0; k < x.ncol(); ++k) {
    Vec w = border::vec(Rcpp::NumericVector(x.column(k)));
    double t = s[k];
    if (ball) {
      t = cone.project_ball(s[k], w);
    } else {
      cone.project_epigraph(m, w, t);
    }
    for (Index j = 0; j < d; ++j) out(j, k) = w[j];
    out(d, k) = t;
  }
  return out;
}

// The certificate of any point (w, b, t), (alpha, beta) on the columns as they are, and the point
// made feasible. w has the bias coordinate last when the intercept is penalised.
inline Rcpp::List probe_robust_certificate(SEXP x, const Rcpp::NumericVector& y,
                                           const Rcpp::NumericVector& weights,
                                           const Rcpp::List& problem, const Rcpp::List& point) {
  const border::Options ask(problem);
  const RowVec labels(border::vec(y)), omega(border::vec(weights));
  const RowStore rows(border::view(x));
  const std::string intercept = ask.text("intercept");
  const Settings settings{norm_from(ask.text("norm")), ask.number("radius"),
                          ask.number("label_cost"), ask.number("ridge"), intercept == "free"};
  Run run = probes::quiet_run();
  Team team;
  Solution s;
  s.w = border::vec(point["w"]);
  s.b = Rcpp::as<double>(point["b"]);
  s.t = Rcpp::as<double>(point["t"]);
  s.alpha = RowVec(border::vec(point["alpha"]));
  s.beta = RowVec(border::vec(point["beta"]));
  double best_t = 0;
  const Certificate c = rows.visit(intercept == "penalized" ? 1.0 : 0.0, [&](const auto& data) {
    const RobustSvm p(Rows(data, labels, omega, team), settings);
    best_t = p.best_t(s.w, p.scores(s.w, s.b, run));
    return p.certify(s, run);
  });
  return Rcpp::List::create(
      Rcpp::Named("value") = c.value, Rcpp::Named("bound") = c.bound, Rcpp::Named("gap") = c.gap,
      Rcpp::Named("rounding") = c.rounding, Rcpp::Named("t") = s.t, Rcpp::Named("best_t") = best_t,
      Rcpp::Named("alpha") = s.alpha.local(), Rcpp::Named("beta") = s.beta.local());
}

template <class Weights>
void prox_step(const Dense& row, double y, const Settings& settings, double alpha, Solution& s) {
  const RowVec label = RowVec::Constant(1, y), weight = RowVec::Ones(1);
  Team team;
  const RobustSvm problem(Rows(row, label, weight, team), settings);
  SingleSampleProx<Weights> prox(problem, s);
  const PieceWeights pieces = prox.step(0, alpha);
  prox.store(s);
  s.alpha = RowVec::Constant(1, pieces.first);
  s.beta = RowVec::Constant(1, pieces.second);
}

// One proximal step a case. cases: columns y, alpha, radius, label_cost, ridge, b, t; the columns
// of x and w are the rows' features and the weights before the step. `scaled`: the O(nonzeros)
// version for q = 2. The answer has the new w, then b, t and the weights of the first two pieces.
inline Rcpp::NumericMatrix probe_robust_prox(const Rcpp::NumericMatrix& x,
                                             const Rcpp::NumericMatrix& w,
                                             const Rcpp::NumericMatrix& cases,
                                             const std::string& norm, bool free, bool scaled) {
  const Index d = x.nrow();
  Rcpp::NumericMatrix out(x.nrow() + 4, x.ncol());
  for (int k = 0; k < x.ncol(); ++k) {
    const Dense row(&x(0, k), 1, d, 0);
    const Settings settings{norm_from(norm), cases(k, 2), cases(k, 3), cases(k, 4), free};
    Solution s;
    s.w = border::vec(Rcpp::NumericVector(w.column(k)));
    s.b = cases(k, 5);
    s.t = cases(k, 6);
    if (scaled) {
      prox_step<ScaledWeights>(row, cases(k, 0), settings, cases(k, 1), s);
    } else {
      prox_step<DenseWeights>(row, cases(k, 0), settings, cases(k, 1), s);
    }
    for (Index j = 0; j < d; ++j) out(j, k) = s.w[j];
    out(d, k) = s.b;
    out(d + 1, k) = s.t;
    out(d + 2, k) = s.alpha[0];
    out(d + 3, k) = s.beta[0];
  }
  return out;
}

// Passes of proximal steps over the rows in their order, all of length alpha: w, then b and t.
inline Rcpp::NumericVector probe_robust_prox_run(SEXP x, const Rcpp::NumericVector& y,
                                                 const Rcpp::List& problem, double alpha,
                                                 int passes, bool scaled) {
  const border::Options ask(problem);
  const RowVec labels(border::vec(y)), omega = RowVec::Ones(labels.size());
  const RowStore rows(border::view(x));
  const Settings settings{norm_from(ask.text("norm")), ask.number("radius"),
                          ask.number("label_cost"), ask.number("ridge"), ask.flag("free")};
  Team team;
  Solution s;
  rows.visit(0, [&](const auto& data) {
    const RobustSvm p(Rows(data, labels, omega, team), settings);
    s = starting_point(p, s);
    const auto run = [&](auto prox) {
      for (int pass = 0; pass < passes; ++pass) {
        for (Index i = 0; i < p.n(); ++i) prox.step(i, alpha);
        prox.store(s);
      }
    };
    if (scaled) {
      run(SingleSampleProx<ScaledWeights>(p, s));
    } else {
      run(SingleSampleProx<DenseWeights>(p, s));
    }
  });
  Rcpp::NumericVector out(s.w.size() + 2);
  std::copy(s.w.data(), s.w.data() + s.w.size(), out.begin());
  out[s.w.size()] = s.b;
  out[s.w.size() + 1] = s.t;
  return out;
}

// The fit of dense rows that lie on so many ranks, as each rank has it: value, bound, b, t and w in
// a column of the answer.
inline Rcpp::NumericMatrix probe_robust_ranks(SEXP x, const Rcpp::NumericVector& y,
                                              const Rcpp::NumericVector& weights,
                                              const Rcpp::List& problem, const std::string& solver,
                                              int ranks) {
  const border::Options ask(problem);
  const Vec labels = border::vec(y), omega = border::vec(weights);
  const RowStore rows(border::view(x));
  const Settings settings{norm_from(ask.text("norm")), ask.number("radius"),
                          ask.number("label_cost"), ask.number("ridge"), ask.flag("free")};
  const Index n = labels.size(), p = rows.columns();
  Rcpp::NumericMatrix out(4 + static_cast<int>(p), ranks);
  const double* values = nullptr;
  rows.visit(0, [&](const auto& data) {
    if (const auto* dense = dynamic_cast<const Dense*>(&data)) values = dense->values();
  });
  probes::Exchange exchange(ranks);
  std::vector<std::string> faults(static_cast<std::size_t>(ranks));
  const auto fit = [&](int rank) {
    probes::ThreadRank here(exchange, rank);
    const Index begin = n * rank / ranks, count = n * (rank + 1) / ranks - begin;
    Team team(1, Team::usual_grain, ranks > 1 ? &here : nullptr);
    const Dense data(values + begin * p, count, p, 0);
    const RowVec own(Vec(labels.segment(begin, count))), share(Vec(omega.segment(begin, count)));
    try {
      const RobustSvm part(Rows(data, own, share, team), settings);
      Run::Limits limits;
      limits.agreement = team.agreement();
      Run run = probes::quiet_run(limits, part.null_value());
      Solution s = solver == "pdhg" ? pdhg(part, Solution(), run) : interior_point(part, run);
      const Certificate c = part.certify(s, run);
      double* column = &out(0, rank);
      column[0] = c.value;
      column[1] = c.bound;
      column[2] = s.b;
      column[3] = s.t;
      std::copy(s.w.data(), s.w.data() + p, column + 4);
    } catch (const std::exception& e) {
      faults[rank] = e.what();
      exchange.leave();
    }
  };
  std::vector<std::thread> others;
  for (int rank = 1; rank < ranks; ++rank) others.emplace_back(fit, rank);
  fit(0);
  for (std::thread& other : others) other.join();
  for (const std::string& fault : faults) {
    if (!fault.empty()) throw std::runtime_error(fault);
  }
  return out;
}

inline void add_probes(probes::Table& table) {
  table.add("projection", probe_projection);
  table.add("robust_certificate", probe_robust_certificate);
  table.add("robust_prox", probe_robust_prox);
  table.add("robust_prox_run", probe_robust_prox_run);
  table.add("robust_ranks", probe_robust_ranks);
}

}  // namespace dualmargin::robust
