#include "linear/problem.h"

#include <utility>

#include "base/roots.h"
#include "base/rounding.h"
#include "run/outcome.h"

namespace dualmargin::linear {

namespace {

// All weights, one class after the other.
const Vec& listed(const Vec& w) { return w; }
Eigen::Map<const Vec> listed(const Mat& w) { return {w.data(), w.size()}; }

// (1/W) sum omega a^2 of each class.
Vec squared_slopes(const RowLosses& losses, const RowVec& a) {
  return Vec::Constant(1, losses.mean_over([&](Index i) { return losses.omega[i] * a[i] * a[i]; }));
}
Vec squared_slopes(const ClassLosses& losses, const RowMat& a) { return losses.squared_slopes(a); }
Vec squared_slopes(const RowLosses&, const RowVec&, const FenchelSums& sums) {
  return Vec::Constant(1, sums.slope_squares);
}
Vec squared_slopes(const ClassLosses& losses, const RowMat& a, const FenchelSums&) {
  return losses.squared_slopes(a);
}

// What a dual point that is not balanced costs, with scores of w not larger than `reach`; theta: how
// much of it is another point.
struct Unbalanced {
  double theta = 0, cost = 0;
};
Unbalanced unbalanced(const RowLosses& losses, const FenchelSums& sums, const ScoredPrimal&,
                      const RowVec&, double reach) {
  if (!losses.free_intercept) return {};
  const double drift = std::abs(sums.slopes) + rounding::of_value() * sums.slope_size;
  return {0, (sums.score_size + reach) * drift};
}
Unbalanced unbalanced(const ClassLosses& losses, const FenchelSums&,
                      const ScoredPrimalOf<RowMat>& p, const RowMat& a, double reach) {
  if (!losses.free_intercept) return {};
  const double theta = losses.drift_share(a);
  return {theta, theta * (losses.loss.at_zero + 1 + reach + p.b.cwiseAbs().sum())};
}

bool dual_shift(const RowLosses& losses) { return losses.loss.dual_shift(); }
bool dual_shift(const ClassLosses&) { return false; }

bool finite(const Primal& p) { return p.w.allFinite(); }
bool finite(const JointPrimal& p) { return p.w.allFinite() && p.b.allFinite(); }

}  // namespace

template <class L>
SolutionOf<typename L::Array> ProblemOf<L>::begin(const Solution& start, const char* solver) const {
  Solution s = start;
  s.solver = solver;
  const bool known = s.w.rows() == dim() && s.w.cols() == losses.classes();
  if (!known) s.w = W::Zero(dim(), losses.classes());
  if constexpr (several) {
    if (!known) s.b = Vec::Zero(losses.classes());
    if (!known && losses.free_intercept) s.b = losses.shares.array().log();
    if (penalty.l1 == 0) s.w.colwise() -= s.w.rowwise().mean().eval();
  }
  return s;
}

template <class L>
typename L::Array ProblemOf<L>::multiply(const W& w, Tick& tick) const {
  if constexpr (several) {
    RowMat z(n(), w.cols());
    for (Index c = 0; c < w.cols(); ++c) z.set_entry(c, rows.multiply(w.col(c), tick));
    return z;
  } else {
    return rows.multiply(w, tick);
  }
}

template <class L>
Weights<typename L::Array> ProblemOf<L>::transpose_multiply(const Array& q, Tick& tick) const {
  if constexpr (several) {
    Mat u(dim(), q.width());
    for (Index c = 0; c < q.width(); ++c) u.col(c) = rows.transpose_multiply(q.entry(c), tick);
    return u;
  } else {
    return rows.transpose_multiply(q, tick);
  }
}

template <class L>
const typename L::Array& ProblemOf<L>::margins(const W& w, Tick& tick) const {
  thread_.assert_own();
  if (known_z_.size() != n() || known_w_.size() != w.size() || known_w_ != w) {
    known_z_ = multiply(w, tick);
    known_w_ = w;
  }
  return known_z_;
}

template <class L>
const Weights<typename L::Array>& ProblemOf<L>::dual_sum(const Array& a, Tick& tick) const {
  thread_.assert_own();
  const auto other = [&](Index i) { return known_a_[i] != a[i]; };
  if (!knows_u_ || rows.any(other)) {
    known_u_ = transpose_multiply(losses.weighted(a), tick);
    known_a_ = a;
    knows_u_ = true;
  }
  return known_u_;
}

template <class L>
SolutionOf<typename L::Array> ProblemOf<L>::with_nothing(Solution s, bool primal, bool dual) const {
  if (primal) {
    s.w = W::Zero(dim(), losses.classes());
    s.b = losses.null_intercept();
  }
  if (dual) s.a = losses.rest();
  return s;
}

template <class L>
SummedDualOf<typename L::Array> ProblemOf<L>::summed(Array a, Tick& tick) const {
  if constexpr (!several) {
    if (penalty.any_free()) {
      a = FreeColumns(rows, losses, penalty.columns->free).balanced(std::move(a), tick);
      W u = dual_sum(a, tick);
      return {{std::move(a)}, std::move(u)};
    }
  }
  losses.balance(a);
  W u = dual_sum(a, tick);
  return {{std::move(a)}, std::move(u)};
}

template <class L>
SummedDualOf<typename L::Array> ProblemOf<L>::of_slopes(const Array& a, const W& u,
                                                        Tick& tick) const {
  if (penalty.any_free()) return summed(a, tick);
  return {{a}, u};
}

template <class L>
ScoredPrimalOf<typename L::Array> ProblemOf<L>::scored(const PrimalOf<Array>& p, Tick& tick) const {
  Intercept<Array> b = p.b;
  if constexpr (several) {
    if (!losses.free_intercept) b.setZero();
  } else {
    if (!losses.free_intercept) b = 0;
  }
  return {{p.w, b}, margins(p.w, tick) + b};
}

template <class L>
Certificate ProblemOf<L>::certify(const ScoredPrimalOf<Array>& p, SummedDualOf<Array>& d,
                                  Tick& tick) const {
  const double penalised = penalty.value(listed(p.w));
  const double theta = penalty.l1 == 0 ? 1 : dual_scale(d, p.z, penalised, tick);
  if (theta != 1) {
    losses.scale(d.a, theta);
    d.u *= theta;
  }
  const FenchelSums sums = losses.fenchel(p.z, d.a, 1);
  const double value = sums.value + penalised;
  const double gap = sums.gap + penalty.gap(listed(p.w), listed(d.u));
  return told(p, d, Certificate(value, gap, rounding_of(sums, value, p, d, tick)));
}

template <class L>
Certificate ProblemOf<L>::told(const PrimalOf<Array>& p, const DualOf<Array>& d,
                               const Certificate& c) const {
  if (seen != nullptr) seen->offer(p, d, c);
  return c;
}

template <class L>
Certificate ProblemOf<L>::certify(Solution& s, Tick& tick) const {
  const ScoredPrimalOf<Array> p = scored(s, tick);
  SummedDualOf<Array> d = summed(std::move(s.a), tick);
  const Certificate c = certify(p, d, tick);
  s.b = p.b;
  s.a = std::move(d.a);
  return c;
}

template <class L>
double ProblemOf<L>::rounding_of(const FenchelSums& sums, double value,
                                 const ScoredPrimalOf<Array>& p, const SummedDualOf<Array>& dual,
                                 Tick& tick) const {
  const Vec& norm = rows.column_norms(tick);
  const Vec squares = squared_slopes(losses, dual.a, sums);
  double penalties = 0, scores = 0, reach = 0, bend = 0, outside = 0, open = 0;
  for (Index c = 0; c < squares.size(); ++c) {
    const double adding = dual_sum_rounding(squares[c]);
    double own = 0;
    for (Index j = 0; j < dim(); ++j) {
      const double d = adding * norm[j], w = p.w(j, c), u = dual.u(j, c);
      own += norm[j] * std::abs(w);
      if (penalty.free(j)) {
        const double most = std::abs(w) + (norm[j] > 0 ? sums.score_size / norm[j] : 0);
        open += most * (std::abs(u) + d);
        continue;
      }
      penalties += penalty.value(j, w) + penalty.conjugate(j, -u) + std::abs(u * w);
      if (penalty.l2 == 0) {
        bend += d * (farthest_bound(j) + std::abs(w));
        continue;
      }
      bend += d * (std::abs(penalty.grad_conjugate(j, -u) - w) + d / penalty.l2);
      if (penalty.l1 > 0) outside = std::max(outside, d / penalty.l1_of(j));
    }
    scores += rounding::of_score(rows.longest_row()) * std::sqrt(squares[c]) * own;
    reach += own;
  }
  const auto [theta, cost] = unbalanced(losses, sums, p, dual.a, reach);
  const double size = sums.size + std::abs(value), spread = theta * norm.norm();
  double back = 0;
  if (theta > 0 && penalty.l1 > 0) back = 2 * theta * norm.maxCoeff() / penalty.l1 * size;
  if (penalty.l2 > 0) bend += 2 * spread * spread / penalty.l2;
  const bool room = penalty.l1 > 0 && penalty.l2 > 0;
  const double sum = room ? std::min(bend, outside * size + back) : bend + back;
  const double terms = rounding::of_term(static_cast<double>(squares.size()));
  return Certificate::rounding_of(value) + terms * (sums.size + penalties) + scores + sum + open + cost;
}

template <class L>
double ProblemOf<L>::dual_sum_rounding(double squares) const {
  const double stored = several && penalty.l1 > 0 ? rounding::of(8) : 0;
  return rounding::of(rows.additions() + 8) * std::sqrt(squares) + stored;
}

template <class L>
double ProblemOf<L>::farthest_bound(Index j) const {
  const double low = -penalty.lower(j), high = penalty.upper(j);
  return std::max(std::isinf(low) ? 0.0 : low, std::isinf(high) ? 0.0 : high);
}

template <class L>
bool ProblemOf<L>::must_fit(Index j, double u) const {
  return std::isinf(u < 0 ? penalty.upper(j) : penalty.lower(j));
}

template <class L>
double ProblemOf<L>::dual_scale(const SummedDualOf<Array>& d, const Array& z, double penalised,
                                Tick& tick) const {
  const auto& u = listed(d.u);
  double largest = u.size() > 0 ? u.cwiseAbs().maxCoeff() : 0.0;
  if (largest == 0) return 1;
  if (several && penalty.l2 > 0 && largest <= penalty.l1) return 1;
  const bool lasso = penalty.l2 == 0, alike = penalty.columns == nullptr;
  const bool anywhere = lasso && alike && dual_shift(losses);
  const bool flat = lasso && !penalty.bounded();  // g* is 0 wherever it is finite
  if (lasso) {
    const Vec& norm = rows.column_norms(tick);
    const Vec squares = squared_slopes(losses, d.a);
    largest = 0;
    for (Index c = 0; c < squares.size(); ++c) {
      const double adding = dual_sum_rounding(squares[c]);
      for (Index j = 0; j < dim(); ++j) {
        if (penalty.free(j)) continue;
        const double least = adding * norm[j], size = std::abs(d.u(j, c));
        // within rounding of 0 it may be on either side
        const bool fits = size > least && !must_fit(j, d.u(j, c));
        if (!fits) largest = std::max(largest, (size + least) / penalty.factor(j));
      }
    }
    if (largest == 0) largest = 1e-300 * penalty.l1;
  } else if (!alike) {
    largest = 0;
    for (Index j = 0; j < u.size(); ++j) {
      if (!penalty.free(j)) largest = std::max(largest, std::abs(u[j]) / penalty.factor(j));
    }
  }
  // two roundings below the boundary, so that |theta u_j| <= l1 holds in floating point
  const double fits = penalty.l1 / largest * rounding::inside;
  const double least = anywhere ? -fits : 0;
  double high = anywhere ? fits : lasso ? std::min(fits, 1.0) : 1.0;
  const double value = losses.value(z) + penalised;
  // D' or, where a hundredth of the gap is all that other multiples can gain, 0
  const auto rise = [&](double theta) {
    auto [conjugate, slope] = losses.conjugate(d.a, theta);
    if (!flat) {
      conjugate += penalty.conjugate(-theta * u);
      slope -= sum_over(u.size(),
                        [&](Index j) { return u[j] * penalty.grad_conjugate(j, -theta * u[j]); });
    }
    const double gain = slope * (slope < 0 ? theta - high : theta - least);
    constexpr double least = 1e-12;  // of the value: no gap is looked for below
    const double gap = std::max(value + conjugate, least * std::abs(value));
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

template class ProblemOf<RowLosses>;
template class ProblemOf<ClassLosses>;

LinearProblem::LinearProblem(const Rows& rows_, const LossPtr& loss, const ElasticNet& g, bool free)
    : ProblemOf(rows_,
                RowLosses(loss, rows_.y, rows_.weights, free, rows_.team, rows_.total_weight,
                          rows_.offset),
                g) {}

double LinearProblem::row_smoothness() const {
  const RowVec& squares = rows.squared_norms();
  const double largest = rows.max([&](Index i) { return rows.weights[i] * squares[i]; });
  return largest / (rows.total_weight * losses.loss.gamma());
}

ScoredPrimal LinearProblem::scored_at_best(const Primal& p, Tick& tick) const {
  ScoredPrimal s{p, margins(p.w, tick)};
  s.b = losses.best_intercept(s.z, p.b);
  s.z += s.b;
  return s;
}

Certificate LinearProblem::certify_dual(linear::Solution& s, Tick& tick) const {
  SummedDual dual = summed(std::move(s.a), tick);
  if (!losses.free_intercept) s.w = penalty.grad_conjugate(-dual.u);
  const ScoredPrimal primal = scored_at_best(s, tick);
  const Certificate c = certify(primal, dual, tick);
  s.b = primal.b;
  s.a = std::move(dual.a);
  return c;
}

JointProblem::JointProblem(const Rows& rows_, const std::vector<Index>& y, const ClassLossPtr& loss,
                           const ElasticNet& g, bool free, JointSeen* seen_)
    : ProblemOf(rows_, ClassLosses(loss, y, rows_.weights, free, rows_.team, rows_.total_weight),
                g) {
  seen = seen_;
}

double rounding_floor(const Rows& rows, const ElasticNet& g, double value) {
  const RowVec& norms = rows.squared_norms();
  const double largest =
      std::max(0.0, rows.max([&](Index i) { return rows.weights[i] > 0 ? norms[i] : 0.0; }));
  return value > 0 ? 4e-32 * largest / (2 * (g.l1 + g.l2) * value) : 0.0;
}

template <class L>
ReportOf<typename L::Array> report(const ProblemOf<L>& problem, SolutionOf<typename L::Array> s,
                                   Run& run) {
  ReportOf<typename L::Array> r;
  const Certificate c = certify_or_nothing(problem, s, run);
  static_cast<Outcome&>(r) =
      Outcome(c, finite(s), rounding_floor(problem.rows, problem.penalty, c.value), run);
  r.scores = problem.scored(s, run).z;
  r.solution = std::move(s);
  return r;
}
template Report report(const ProblemOf<RowLosses>&, linear::Solution, Run&);
template JointReport report(const ProblemOf<ClassLosses>&, JointSolution, Run&);

}  // namespace dualmargin::linear
