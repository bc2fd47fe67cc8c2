#include "linear/proximal_newton.h"

#include <array>
#include <utility>

#include "base/rounding.h"

namespace dualmargin::linear {

ProximalNewton::ProximalNewton(const LinearProblem& problem, Run& run, View& view)
    : free_(problem.losses.free_intercept),
      run_(run),
      g_(problem.penalty),
      view_(view),
      losses_(problem.losses.held, rows().y, rows().weights, free_, rows().team, rows().offset) {}

void ProximalNewton::start(const Vec& w, double b, const RowVec& a, double q) {
  w_ = w;
  b_ = b;
  margin_ = view_.multiply(w_);
  smooth(a, q);
}

void ProximalNewton::smooth(const RowVec& a, double q) {
  centre_ = a;
  q_ = q;
  evaluate();
}

void ProximalNewton::penalise(const ElasticNet& g) {
  g_ = g;
  damping_ = 0;
}

void ProximalNewton::discard(const std::vector<Index>& columns,
                             FunctionRef<void(Index, double, RowVec&)> add) {
  bool moved = false;
  for (Index j : columns) {
    moved = moved || w_[j] != 0;
    add(j, -w_[j], margin_);
    w_[j] = 0;
  }
  if (moved) evaluate();
}

double ProximalNewton::gap() {
  const Vec& u = dual_sum();
  double largest = 0;  // of what must not exceed l1 for g* = 0
  for (Index j : view_.coordinates()) {
    const bool stays = std::isinf(u[j] < 0 ? g_.upper(j) : g_.lower(j));
    if (!g_.free(j) && stays) largest = std::max(largest, std::abs(u[j]) / g_.factor(j));
  }
  const auto penalty = [&](double theta) {
    const std::vector<Index>& set = view_.coordinates();
    return sum_over(static_cast<Index>(set.size()),
                    [&](Index k) { return g_.gap(set[k], w_[set[k]], theta * u[set[k]]); });
  };
  const bool fits = g_.l1 == 0 || largest <= g_.l1;
  const double whole = fits || g_.l2 > 0 ? penalty(1) : HUGE_VAL;  // the losses' share is 0
  if (fits || q_ > 0) return whole;
  const double theta = g_.l1 / largest * rounding::inside;
  return std::min(whole, penalty(theta) + losses_.fenchel(scores(), at_.slope, theta).gap);
}

double ProximalNewton::aim() {
  RowVec curvature = at_.curvature;
  if (lift_ > 0) curvature += lift_ * abs(at_.slope);
  const RowVec h = rows().weights * curvature / rows().total_weight;
  const double r = free_ ? mean([&](Index i) { return at_.slope[i]; }) : 0.0;
  direction_ = view_.direction({w_, dual_sum(), r, h, g_, damping_});
  room_ = room();
  return direction_.predicted;
}

bool ProximalNewton::move() {
  const RowVec step = view_.multiply(direction_.delta);
  const RowVec move = step + direction_.delta_b;
  Slopes there;
  const double t = exact_step(along(0, move, at_).right, [&](double trial) {
    losses_.dual_steps(RowVec(margin_ + trial * move), b_, centre_, q_, there);
    return along(trial, move, there);
  });
  view_.lifts() ? lift(t) : damp(t);
  w_ = within_bounds(w_ + t * direction_.delta);
  b_ += t * direction_.delta_b;
  margin_ += t * step;
  run_.count_step();
  evaluate();
  return t > 0;
}

const Vec& ProximalNewton::dual_sum() {
  if (!fresh_) u_ = dual_sum(at_.slope, view_.coordinates());
  fresh_ = true;
  return u_;
}

Vec ProximalNewton::dual_sum(const RowVec& a, const std::vector<Index>& coordinates) {
  return view_.transpose_multiply(rows().weights * a / rows().total_weight, coordinates);
}

template <class Term>
double ProximalNewton::mean(Term term) const {
  const RowVec& omega = rows().weights;
  return rows().sum([&](Index i) { return omega[i] * term(i); }) / rows().total_weight;
}

void ProximalNewton::evaluate() {
  fresh_ = false;
  b_ = losses_.slopes_at_best(margin_, centre_, q_, b_, at_);
}

void ProximalNewton::damp(double t) {
  if (t < 0.3) {
    const RowVec& squares = rows().squared_norms();
    const double trace = mean([&](Index i) { return at_.curvature[i] * squares[i]; });
    damping_ = damping_ > 0 ? 4 * damping_ : std::max(g_.l2, 1e-4 * trace / w_.size());
  } else if (t > 0.6) {
    damping_ *= 0.15;
    if (damping_ < 0.1 * g_.l2) damping_ = 0;
  }
}

void ProximalNewton::lift(double t) {
  if (t < 0.4) {
    lift_ = std::max(4 * lift_, 0.03);
  } else if (t > 0.6) {
    lift_ = lift_ > 0.01 ? 0.2 * lift_ : 0;
  }
}

double ProximalNewton::room() const {
  double t = HUGE_VAL;
  for (Index j = 0; g_.bounded() && j < w_.size(); ++j) {
    const double d = direction_.delta[j];
    if (d != 0) t = std::min(t, ((d > 0 ? g_.upper(j) : g_.lower(j)) - w_[j]) / d);
  }
  constexpr double nearly_whole = 1 + 1e-9;  // a whole step, but for rounding, is one
  return t < nearly_whole ? 1 : t;
}

Vec ProximalNewton::within_bounds(Vec w) const {
  for (Index j = 0; g_.bounded() && j < w.size(); ++j) {
    w[j] = g_.nearest(j, w[j]);
    for (const double bound : {g_.lower(j), g_.upper(j)}) {
      const bool meets = std::abs(w[j] - bound) <= rounding::of(4) * std::abs(bound);
      if (meets && std::isfinite(bound)) w[j] = bound;
    }
  }
  return w;
}

LineSlope ProximalNewton::along(double t, const RowVec& move, const Slopes& at) const {
  const RowVec& omega = rows().weights;
  const Vec& delta = direction_.delta;
  const std::vector<Index>& set = view_.coordinates();
  const auto [fall, bend] = rows().sum([&](Index i) {
    const double m = omega[i] * move[i];
    return std::array<double, 2>{m * at.slope[i], m * at.curvature[i] * move[i]};
  });
  double kinks = 0, squares = 0;
  const double smooth = sum_over(static_cast<Index>(set.size()), [&](Index k) {
    const double d = delta[set[k]], w = w_[set[k]] + t * d;
    const double l1 = g_.l1_of(set[k]);
    if (w == 0) kinks += l1 * std::abs(d);
    const double l2 = g_.l2_of(set[k]);
    if (l2 > 0) squares += d * d;
    return (l2 * w + l1 * (w > 0 ? 1.0 : w < 0 ? -1.0 : 0.0)) * d;
  });
  const double W = rows().total_weight, middle = fall / W + smooth;
  const double left = t > room_ ? HUGE_VAL : middle - kinks;
  const double right = t >= room_ ? HUGE_VAL : middle + kinks;
  return {left, right, bend / W + g_.l2 * squares};
}

}  // namespace dualmargin::linear
