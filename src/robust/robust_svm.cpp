#include "robust/robust_svm.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/roots.h"

namespace dualmargin::robust {

double RobustSvm::mean_square() const {
  const RowVec& squares = rows.squared_norms();
  return rows.sum([&](Index i) { return rows.share(i) * squares[i]; });
}

double RobustSvm::norm_limit(const Vec& w) const {
  const double size = cone.norm(w);
  return size > 0 ? 10 * size : 1.0;
}

std::shared_ptr<const Moments> RobustSvm::moments(FunctionRef<Moments()> make, Tick& tick) const {
  return known_->moments.get(make, tick);
}

double RobustSvm::saddle_norm(FunctionRef<double()> make, Tick& tick) const {
  return *known_->saddle_norm[flips()].get(make, tick);
}

template <class A>
double RobustSvm::mass_of(const A& a) const {
  return rows.sum([&](Index i) { return rows.weights[i] * a[i]; }) / rows.total_weight;
}

double RobustSvm::class_share(double label) const {
  return rows.sum([&](Index i) { return rows.y[i] == label ? rows.share(i) : 0.0; });
}

Best RobustSvm::null_point(Iterate kept) const {
  Primal s;
  s.w = Vec::Zero(dim());
  if (constant_value() < 1) {
    s.b = class_share(1) > class_share(-1) ? 1 : -1;
    s.t = std::isfinite(label_cost) ? 2 / label_cost : 0.0;
  }
  Dual d;
  d.alpha = d.beta = RowVec::Zero(n());
  Best best(kept);
  best.offer_primal(s, HUGE_VAL);
  best.offer_dual(d, 0);
  return best;
}

Solution RobustSvm::with_nothing(Solution s, bool primal, bool dual) const {
  const Best none = null_point();
  if (primal) static_cast<Primal&>(s) = none.primal();
  if (dual) static_cast<Dual&>(s) = none.dual();
  return s;
}

double RobustSvm::row_loss(double u, double t) const {
  const double hinge = std::max(1 - u, 0.0);
  return std::isfinite(label_cost) ? std::max(hinge, 1 + u - label_cost * t) : hinge;
}

RowVec RobustSvm::scores(const Vec& w, double b, Tick& tick) const {
  RowVec z = rows.multiply(w, tick);
  z += b;
  return z;
}

Vec RobustSvm::dual_sum(const RowVec& alpha, const RowVec& beta, Tick& tick) const {
  return rows.transpose_multiply(rows.weights * rows.y * (alpha - beta) / rows.total_weight, tick);
}

double RobustSvm::value(const Vec& w, double t, const RowVec& z) const {
  const double losses =
      rows.sum([&](Index i) { return rows.weights[i] * row_loss(rows.y[i] * z[i], t); });
  return t * radius + losses / rows.total_weight + 0.5 * ridge * w.squaredNorm();
}

double RobustSvm::best_t(const Vec& w, const RowVec& z) const {
  const double lowest = cone.norm(w);
  if (!std::isfinite(label_cost) || label_cost == 0) return lowest;
  std::vector<Rise> leave;
  for (Index i = 0; i < n(); ++i) {
    const double u = rows.y[i] * z[i];
    const double at = (1 + u - std::max(1 - u, 0.0)) / label_cost;
    if (rows.weights[i] > 0 && at > lowest) leave.push_back({at, label_cost * share(i)});
  }
  const auto by = [&](Index k) { return leave[k].by; };
  const double slope = radius - rows.sum(static_cast<Index>(leave.size()), by);
  return slope < 0 ? rows.balance_points(leave, slope, 0).low : lowest;
}

void RobustSvm::clip_and_balance(RowVec& alpha, RowVec& beta) const {
  alpha = max(alpha, 0);
  beta = flips() ? RowVec(max(beta, 0)) : RowVec::Zero(n());
  const RowVec over = max(alpha + beta, 1);
  alpha /= over;
  beta /= over;
  if (!free_intercept) return;
  const auto pull = [&](Index i) { return rows.weights[i] * rows.y[i] * (alpha[i] - beta[i]); };
  const auto [up, down] = rows.sum([&](Index i) {
    const double force = pull(i);
    return std::array<double, 2>{std::max(force, 0.0), std::max(-force, 0.0)};
  });
  const double heavy = std::max(up, down);
  if (!(heavy > 0)) return;
  const double keep = std::min(up, down) / heavy, side = up > down ? 1 : -1;
  for (Index i = 0; i < n(); ++i) {
    if (!(side * pull(i) > 0)) continue;
    double& larger = alpha[i] > beta[i] ? alpha[i] : beta[i];
    larger = std::min(alpha[i], beta[i]) + keep * std::abs(alpha[i] - beta[i]);
  }
}

Certificate RobustSvm::certify(Primal& s, Dual& d, Tick& tick) const {
  if (!free_intercept) s.b = 0;
  s.z = scores(s.w, s.b, tick);
  s.t = radius > 0 ? std::max(s.t, cone.norm(s.w)) : best_t(s.w, s.z);
  clip_and_balance(d.alpha, d.beta);
  d.v = dual_sum(d.alpha, d.beta, tick);
  return estimate(s, d);
}

Certificate RobustSvm::estimate(const Primal& s, Dual& d) const {
  const double fits = dual_scale(d);
  d.alpha *= fits;
  d.beta *= fits;
  d.v *= fits;
  const double kappa = flip_cost(), W = rows.total_weight;
  const double flipped = kappa * mass_of(d.beta);
  const RowVec& length = rows.lengths();
  // what is summed, and of the rounding: the sizes of all terms; the rows with multipliers or a
  // loss, alone and times |x_i|; |alpha_i - beta_i|, alone and times |x_i|; alpha_i + beta_i
  const auto [gap, terms, active, reach, forces, pull, multipliers] = rows.sum([&](Index i) {
    const double u = rows.y[i] * s.z[i], h = row_loss(u, s.t), omega = rows.weights[i];
    const double both = d.alpha[i] + d.beta[i], force = std::abs(d.alpha[i] - d.beta[i]);
    const double flip = d.beta[i] > 0 ? d.beta[i] * (1 + u - kappa * s.t) : 0.0;
    const double on = omega * (both + (h > 0));
    return std::array<double, 7>{omega * (h - d.alpha[i] * (1 - u) - flip),
                                 omega * (h + both * (1 + std::abs(u)) + d.beta[i] * kappa * s.t),
                                 on,
                                 on * length[i],
                                 omega * force,
                                 omega * force * length[i],
                                 omega * both};
  });
  const double along = d.v.dot(s.w), on_ridge = 0.5 * ridge * s.w.squaredNorm();
  double rest = on_ridge - along, beyond = 0;
  if (conditional()) {
    rest += norm_limit(s.w) * cone.dual_norm(d.v);
  } else {
    rest += s.t * (radius - flipped);
    if (ridge > 0) beyond = distance(std::max(radius - flipped, 0.0), d.v) / ridge;
    rest += beyond;
  }
  const double sizes = terms / W + on_ridge + std::abs(along) + beyond + s.t * radius;
  const Sizes size{active / W, reach / W, forces / W, pull / W, multipliers / W};
  const Certificate c(value(s.w, s.t, s.z), gap / W + rest,
                      Certificate::rounding_of(sizes) + rounding(s, d, flipped, beyond, size));
  if (seen != nullptr) seen->offer(s, d, c);
  return c;
}

Certificate RobustSvm::offer(Best& best, const Solution& s, const Certificate& c) const {
  best.offer_primal(s, c.value);
  if (c.gap >= 0 && std::isfinite(c.bound)) best.offer_dual(s, c.bound);
  const Certificate pair = best.certificate();
  if (std::isfinite(pair.value)) return pair;
  return Certificate(null_value(), null_value() - best.bound());
}

Certificate RobustSvm::certify(const Best& best, Tick& tick) const {
  Primal s = best.primal();
  Dual d = best.dual();
  return certify(s, d, tick);
}

Settings RobustSvm::at(Settings s, double radius) {
  s.radius = radius;
  return s;
}

double RobustSvm::rounding(const Primal& s, const Dual& d, double flipped, double beyond,
                           const Sizes& size) const {
  const double w_size = s.w.stableNorm(), columns = static_cast<double>(dim());
  const double nonzeros = rows.longest_row();
  const double in_scores = rounding::of_score(nonzeros + 5) * w_size * size.reach +
                           rounding::of(2) * std::abs(s.b) * size.active;
  double off_v = rounding::of(rows.additions() + 8) * size.pull;
  double in_balance = 0;
  if (free_intercept) {
    const double out = std::abs(balance(d)) + rows.sum_rounding() * size.multipliers;
    in_balance = out * (1 + std::abs(s.b));
    if (size.forces > 0) off_v += out * size.pull / size.forces;
  }
  const Norm p = cone.dual().q;
  const double in_norm = p == Norm::l1 ? std::sqrt(nonzeros) * off_v : off_v;
  const double off_theta = rounding::of(16) * radius + rows.sum_rounding() * flipped;
  double in_dual = w_size * off_v;
  if (conditional()) {
    in_dual += norm_limit(s.w) * in_norm;
  } else if (ridge > 0) {
    const double slope = std::sqrt(2 * beyond / ridge);  // dist / c
    in_dual += slope * (off_v + (p == Norm::linf ? std::sqrt(columns) : 1.0) * off_theta);
  } else {
    const double excess = cone.dual_norm(d.v) + in_norm + off_theta + flipped - radius;
    if (excess > 0) in_dual += radius > 0 ? excess / radius * size.multipliers : HUGE_VAL;
  }
  return in_scores + in_balance + in_dual + s.t * off_theta;
}

double RobustSvm::balance(const Dual& d) const {
  return rows.sum([&](Index i) { return rows.weights[i] * rows.y[i] * (d.alpha[i] - d.beta[i]); }) /
         rows.total_weight;
}

double RobustSvm::constant_value() const {
  if (!free_intercept || label_cost == 0) return 1;
  return 2 * std::min(class_share(1), class_share(-1)) + 2 * radius / label_cost;
}

double RobustSvm::distance(double theta, const Vec& v) const {
  return 0.5 * cone.dual().squared_distance(theta, v);
}

double RobustSvm::dual_scale(const Dual& d) const {
  if (conditional()) return 1;
  constexpr double below = rounding::inside;
  const double flipped = flip_cost() * mass_of(d.beta);
  if (ridge == 0) {
    const double needs = cone.dual_norm(d.v) + flipped;
    return needs > radius * below ? radius / needs * below : 1.0;
  }
  const double most = flipped > radius * below ? radius / flipped * below : 1.0;
  const double sum = mass_of(d.alpha + d.beta);
  const auto slope = [&](double s) {
    Vec z = s * d.v;
    const double nu = cone.dual().project_ball(std::max(radius - s * flipped, 0.0), z);
    return sum - ((s * d.v - z).dot(d.v) + nu * flipped) / ridge;
  };
  const double at_most = slope(most);
  if (!(at_most < 0)) return most;
  constexpr double precise = 1e-12;  // any scale is feasible, the best one is a little better
  return illinois(slope, 0, sum, most, at_most, precise * sum);
}

Solution starting_point(const RobustSvm& problem, const Solution& start) {
  Solution s = start;
  if (s.w.size() == 0) {
    s.w = Vec::Zero(problem.dim());
    s.t = 1;
  }
  if (s.alpha.size() == 0) {
    s.alpha = RowVec::Constant(problem.n(), 0.5);
    s.beta = RowVec::Zero(problem.n());
  }
  return s;
}

namespace {

// Weights that are zero but for rounding, as an interior point method leaves them, are set to zero
// if the point stays within its tolerance without them.
constexpr double dust = 1e-5;  // of the largest weight, or of one that gives a row a margin of 1

void sweep(const RobustSvm& problem, Report& r, Run& run) {
  if (!run.in_time()) return;
  Solution s = r.solution;
  const double square = problem.mean_square();
  const double of_margin = square > 0 ? 1 / std::sqrt(square) : 0.0;
  const double level = dust * std::max(s.w.lpNorm<Eigen::Infinity>(), of_margin);
  s.w = s.w.unaryExpr([level](double v) { return std::abs(v) <= level ? 0.0 : v; });
  if (s.w == r.solution.w) return;
  s.t = problem.best_t(s.w, problem.scores(s.w, s.b, run));
  const Certificate c = problem.certify(s, run);
  if (!run.within_tolerance(c)) return;
  r.certificate = c;
  r.solution = std::move(s);
}

}  // namespace

Report report(const RobustSvm& problem, Solution s, Run& run) {
  Report r;
  s.t = problem.best_t(s.w, problem.scores(s.w, s.b, run));
  const Certificate c = certify_or_nothing(problem, s, run);
  static_cast<Outcome&>(r) = Outcome(c, s.w.allFinite(), 0, run);
  r.solution = std::move(s);
  if (r.status == Status::certified && run.iterate() == Iterate::best) sweep(problem, r, run);
  if (problem.conditional()) {
    r.norm_limit = problem.norm_limit(r.solution.w);
    if (r.status == Status::certified) r.status = Status::conditional;
  }
  return r;
}

}  // namespace dualmargin::robust
