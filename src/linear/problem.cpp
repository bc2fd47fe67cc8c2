#include "linear/problem.h"

#include <utility>

#include "base/roots.h"
#include "base/rounding.h"
#include "run/outcome.h"

namespace dualmargin::linear {

LinearProblem::LinearProblem(const Rows& rows_, const LossPtr& loss, const ElasticNet& g, bool free)
    : rows(rows_),
      losses(loss, rows.y, rows.weights, free, rows.team, rows.total_weight, rows.offset),
      penalty(g) {}

Solution LinearProblem::begin(const Solution& start, const char* solver) const {
  Solution s = start;
  s.solver = solver;
  if (s.w.size() != dim()) s.w = Vec::Zero(dim());
  return s;
}

double LinearProblem::row_smoothness() const {
  const RowVec& squares = rows.squared_norms();
  const double largest = rows.max([&](Index i) { return rows.weights[i] * squares[i]; });
  return largest / (rows.total_weight * losses.loss.gamma());
}

const Vec& LinearProblem::dual_sum(const RowVec& a, Tick& tick) const {
  thread_.assert_own();
  const auto other = [&](Index i) { return known_a_[i] != a[i]; };
  if (!knows_u_ || rows.any(other)) {
    known_u_ = rows.transpose_multiply(rows.weights * a / rows.total_weight, tick);
    known_a_ = a;
    knows_u_ = true;
  }
  return known_u_;
}

const RowVec& LinearProblem::margins(const Vec& w, Tick& tick) const {
  thread_.assert_own();
  if (known_w_.size() != dim() || known_w_ != w || known_z_.size() != n()) {
    known_z_ = rows.multiply(w, tick);
    known_w_ = w;
  }
  return known_z_;
}

Solution LinearProblem::with_nothing(Solution s, bool primal, bool dual) const {
  if (primal) {
    s.w = Vec::Zero(dim());
    s.b = losses.best_intercept(RowVec::Zero(n()), 0);
  }
  if (dual) s.a = RowVec::Zero(n());
  return s;
}

SummedDual LinearProblem::summed(RowVec a, Tick& tick) const {
  if (penalty.any_free()) {
    a = free_columns().balanced(std::move(a), tick);
  } else {
    losses.balance(a);
  }
  Vec u = dual_sum(a, tick);
  return {{std::move(a)}, std::move(u)};
}

SummedDual LinearProblem::of_slopes(const RowVec& a, const Vec& u, Tick& tick) const {
  return penalty.any_free() ? summed(a, tick) : SummedDual{{a}, u};
}

ScoredPrimal LinearProblem::scored(const Primal& p, Tick& tick) const {
  const double b = losses.free_intercept ? p.b : 0.0;
  return {{p.w, b}, margins(p.w, tick) + b};
}

ScoredPrimal LinearProblem::scored_at_best(const Primal& p, Tick& tick) const {
  ScoredPrimal s{p, margins(p.w, tick)};
  s.b = losses.best_intercept(s.z, p.b);
  s.z += s.b;
  return s;
}

Certificate LinearProblem::certify(const ScoredPrimal& p, SummedDual& d, Tick& tick) const {
  const double penalised = penalty.value(p.w);
  const double theta = penalty.l1 == 0 ? 1 : dual_scale(d, losses.value(p.z) + penalised, tick);
  const FenchelSums sums = losses.fenchel(p.z, d.a, theta);
  d.a *= theta;
  d.u *= theta;
  const double value = sums.value + penalised, gap = sums.gap + penalty.gap(p.w, d.u);
  return told(p, d, Certificate(value, gap, rounding_of(sums, value, p.w, d.u, tick)));
}

Certificate LinearProblem::told(const Primal& p, const Dual& d, const Certificate& c) const {
  if (seen != nullptr) seen->offer(p, d, c);
  return c;
}

Certificate LinearProblem::certify(Solution& s, Tick& tick) const {
  const ScoredPrimal p = scored(s, tick);
  SummedDual d = summed(std::move(s.a), tick);
  const Certificate c = certify(p, d, tick);
  s.b = p.b;
  s.a = std::move(d.a);
  return c;
}

Certificate LinearProblem::certify_dual(Solution& s, Tick& tick) const {
  SummedDual dual = summed(std::move(s.a), tick);
  if (!losses.free_intercept) s.w = penalty.grad_conjugate(-dual.u);
  const ScoredPrimal primal = scored_at_best(s, tick);
  const Certificate c = certify(primal, dual, tick);
  s.b = primal.b;
  s.a = std::move(dual.a);
  return c;
}

double LinearProblem::rounding_of(const FenchelSums& sums, double value, const Vec& w, const Vec& u,
                                  Tick& tick) const {
  const Vec& norm = rows.column_norms(tick);
  const double a_rms = std::sqrt(sums.slope_squares), adding = dual_sum_rounding(a_rms);
  double penalties = 0, reach = 0, bend = 0, outside = 0, open = 0;
  for (Index j = 0; j < w.size(); ++j) {
    const double d = adding * norm[j];
    reach += norm[j] * std::abs(w[j]);
    if (penalty.free(j)) {
      const double most = std::abs(w[j]) + (norm[j] > 0 ? sums.score_size / norm[j] : 0);
      open += most * (std::abs(u[j]) + d);
      continue;
    }
    penalties += penalty.value(j, w[j]) + penalty.conjugate(j, -u[j]) + std::abs(u[j] * w[j]);
    if (penalty.l2 == 0) {
      bend += d * (farthest_bound(j) + std::abs(w[j]));
      continue;
    }
    bend += d * (std::abs(penalty.grad_conjugate(j, -u[j]) - w[j]) + d / penalty.l2);
    if (penalty.l1 > 0) outside = std::max(outside, d / penalty.l1_of(j));
  }
  const bool room = penalty.l1 > 0 && penalty.l2 > 0;
  const double dual = room ? std::min(bend, outside * (sums.size + std::abs(value))) : bend;
  const double scores = rounding::of_score(rows.longest_row()) * a_rms * reach;
  const double drift = std::abs(sums.slopes) + rounding::of_value() * sums.slope_size;
  const double b = losses.free_intercept ? sums.score_size + reach : 0.0;
  return Certificate::rounding_of(value) + rounding::of_term() * (sums.size + penalties) + scores +
         dual + open + b * drift;
}

double LinearProblem::dual_sum_rounding(double a_rms) const {
  return rounding::of(rows.additions() + 8) * a_rms;
}

double LinearProblem::farthest_bound(Index j) const {
  const double low = -penalty.lower(j), high = penalty.upper(j);
  return std::max(std::isinf(low) ? 0.0 : low, std::isinf(high) ? 0.0 : high);
}

bool LinearProblem::must_fit(Index j, double u) const {
  return std::isinf(u < 0 ? penalty.upper(j) : penalty.lower(j));
}

double LinearProblem::dual_scale(const SummedDual& d, double value, Tick& tick) const {
  double largest = d.u.size() > 0 ? d.u.cwiseAbs().maxCoeff() : 0.0;
  if (largest == 0) return 1;
  const bool lasso = penalty.l2 == 0, alike = penalty.columns == nullptr;
  const bool anywhere = lasso && alike && losses.loss.dual_shift();
  const bool flat = lasso && !penalty.bounded();  // g* is 0 wherever it is finite
  if (lasso) {
    const double aa = rows.sum([&](Index i) { return rows.share(i) * d.a[i] * d.a[i]; });
    const Vec& norm = rows.column_norms(tick);
    largest = 0;
    for (Index j = 0; j < d.u.size(); ++j) {
      if (penalty.free(j)) continue;
      const double least = dual_sum_rounding(std::sqrt(aa)) * norm[j];
      // within rounding of 0 it may be on either side
      const bool fits = std::abs(d.u[j]) > least && !must_fit(j, d.u[j]);
      if (!fits) largest = std::max(largest, (std::abs(d.u[j]) + least) / penalty.factor(j));
    }
    if (largest == 0) largest = 1e-300 * penalty.l1;
  } else if (!alike) {
    largest = 0;
    for (Index j = 0; j < d.u.size(); ++j) {
      if (!penalty.free(j)) largest = std::max(largest, std::abs(d.u[j]) / penalty.factor(j));
    }
  }
  // two roundings below the boundary, so that |theta u_j| <= l1 holds in floating point
  const double fits = penalty.l1 / largest * (1 - 4e-16);
  const double least = anywhere ? -fits : 0;
  double high = anywhere ? fits : lasso ? std::min(fits, 1.0) : 1.0;
  // D' or, where a hundredth of the gap is all that other multiples can gain, 0
  const auto rise = [&](double theta) {
    auto [conjugate, slope] = losses.conjugate(d.a, theta);
    if (!flat) {
      conjugate += penalty.conjugate(-theta * d.u);
      slope -= sum_over(
          d.u.size(), [&](Index j) { return d.u[j] * penalty.grad_conjugate(j, -theta * d.u[j]); });
    }
    const double gain = slope * (slope < 0 ? theta - high : theta - least);
    const double gap = std::max(value + conjugate, 1e-12 * std::abs(value));
    return gain <= 1e-2 * gap ? 0.0 : -slope;
  };
  double low = least, at_low = 0, at_high = rise(high);
  if (at_high == 0) return high;
  if (fits < high) {  // where g* begins, D' has a kink
    const double at = rise(fits);
    if (at == 0) return fits;
    (at > 0 ? low : high) = fits;
    (at > 0 ? at_low : at_high) = at;
  }
  if (at_low == 0) at_low = rise(low);
  return at_low == 0 ? low : illinois(rise, low, at_low, high, at_high, 0);
}

Certificate certify_best(const LinearProblem& problem, const Best& best, Tick& tick) {
  Solution s{best.primal(), best.dual(), ""};
  return problem.certify(s, tick);
}

double rounding_floor(const Rows& rows, const ElasticNet& g, double value) {
  const RowVec& norms = rows.squared_norms();
  const double largest =
      std::max(0.0, rows.max([&](Index i) { return rows.weights[i] > 0 ? norms[i] : 0.0; }));
  return value > 0 ? 4e-32 * largest / (2 * (g.l1 + g.l2) * value) : 0.0;
}

Report report(const LinearProblem& problem, Solution s, Run& run) {
  Report r;
  const Certificate c = certify_or_nothing(problem, s, run);
  static_cast<Outcome&>(r) =
      Outcome(c, s.w.allFinite(), rounding_floor(problem.rows, problem.penalty, c.value), run);
  r.scores = problem.scored(s, run).z;
  r.solution = std::move(s);
  return r;
}

}  // namespace dualmargin::linear
