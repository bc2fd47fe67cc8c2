#include "region/of_robust.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "base/slack.h"

namespace dualmargin::region {

namespace {

// The loss max(1 - u, 1 + u - kappa t, 0), u = y z: its slope in u is -1 below min(1, kappa t/2), 1
// above max(kappa t/2, kappa t - 1) and 0 between, and falls in t.
class FlipSlope {
 public:
  FlipSlope(double cost, Interval t) : least_(cost, t.low), most_(cost, t.high) {}

  // In z, the largest that t allows (right) or the smallest.
  double at(double z, double y, bool right) const {
    const double u = y * z;
    if (right) return y > 0 ? least_.right(u) : -most_.left(u);
    return y > 0 ? most_.left(u) : -least_.right(u);
  }

 private:
  struct Turns {
    double falls, rises;
    Turns(double cost, double t) {
      const double reach = cost > 0 ? cost * t : 0.0;
      falls = std::min(1.0, reach / 2);
      rises = std::max(reach / 2, reach - 1);
    }
    double right(double u) const { return (u >= rises) - (u < falls); }
    double left(double u) const { return (u > rises) - (u <= falls); }
  };
  Turns least_, most_;
};

}  // namespace

OffsetRule flip_rule(const Rows& rows, double cost, Interval t) {
  return [&rows, slope = FlipSlope(cost, t)](const RowVec& low, const RowVec& high) {
    const auto sums = [&](const RowVec& z, double offset, bool right) {
      return rows.sum([&](Index i) {
        if (!(rows.weights[i] > 0)) return std::array<double, 2>{};
        const double s = rows.weights[i] * slope.at(z[i] + offset, rows.y[i], right);
        return std::array<double, 2>{s, std::abs(s)};
      });
    };
    return offset_by(sums, low, high, largest_size(rows, rows.weights, rows.y, low, high));
  };
}

namespace {

// The ball of the multipliers, made feasible; one without a bound where the fit has none.
Ball multiplier_ball(const Problem& problem, const RobustSet& set, const RobustPair& pair,
                     Tick& tick) {
  Ball ball;
  const Index n = problem.n();
  if (pair.alpha.size() != n || pair.beta.size() != n || !std::isfinite(pair.value)) return ball;
  const auto mean = [&](auto term) { return problem.mean(term); };
  RowVec alpha(n), beta(n);
  const auto unknown = [&](Index i) { return std::isnan(pair.alpha[i] + pair.beta[i]); };
  if (problem.rows.any(unknown)) return ball;
  for (Index i = 0; i < n; ++i) {
    alpha[i] = std::clamp(pair.alpha[i], 0.0, 1.0);
    beta[i] = std::isfinite(set.cost) ? std::clamp(pair.beta[i], 0.0, 1 - alpha[i]) : 0.0;
  }
  if (problem.free()) {
    // the heavier side is scaled down, which keeps the multipliers feasible
    const auto side = [&](bool plus) {
      return mean([&](Index i) { return (problem.y(i) > 0) == plus ? alpha[i] : beta[i]; });
    };
    const double above = side(true), below = side(false);
    const double for_above = above > below ? below / above : 1;
    const double for_below = below > above ? above / below : 1;
    for (Index i = 0; i < n; ++i) {
      const bool up = problem.y(i) > 0;
      alpha[i] *= up ? for_above : for_below;
      beta[i] *= up ? for_below : for_above;
    }
  }
  double flipped =
      std::isfinite(set.cost) ? set.cost * mean([&](Index i) { return beta[i]; }) : 0.0;
  if (flipped > set.radius) {
    const double shrink = set.radius / flipped * (1 - rounding::of_value());
    alpha = alpha * shrink;
    beta = beta * shrink;
    flipped *= shrink;
  }
  const RowVec coef = problem.share * (alpha - beta) * problem.losses.y;
  const Vec v = problem.rows.transpose_multiply(coef, tick);
  const double theta = std::max(0.0, set.radius - flipped), c = set.ridge;
  Vec inside = v;
  set.norm.dual().project_ball(theta, inside);
  const Vec dual_w = (v - inside) / c;
  // rounding of v, of theta, of the sums
  const double off =
      problem.cross_rounding() * problem.sizes(tick).stored.norm() +
      rounding::of_value() * (theta + set.radius) * std::sqrt(static_cast<double>(v.size()));
  const double size = dual_w.norm() * c;
  const double gap = pair.value - mean([&](Index i) { return alpha[i] + beta[i]; }) +
                     size * size / (2 * c) + off * (size + off) / c +
                     rounding::of_value() * (std::abs(pair.value) + 1);
  const double apart = std::max(0.0, (pair.w - dual_w).norm() - off / c);
  const double square = std::max(gap / c - apart * apart / 4, apart * apart / 4);
  ball.centre = 0.5 * (pair.w + dual_w);
  ball.radius = std::sqrt(square) * rounding::raised + off / c + rounding::of(4) * pair.w.norm();
  return ball;
}

// The norm bound t* is the norm of w*, or where that is more the t at which flipped rows of mass
// radius/kappa are left: row i flips while kappa t <= min(2 u_i, u_i + 1). ends: of the scores.
Interval norm_bounds(const Rows& rows, const RobustSet& set, Interval norm, Interval t,
                     const Ends& ends) {
  const auto last_flip = [&](bool strict) {
    std::vector<std::pair<double, Index>> gain;
    for (Index i = 0; i < rows.n(); ++i) {
      const bool plus = rows.y[i] > 0;
      const double u =
          plus ? (strict ? ends.low[i] : ends.high[i]) : -(strict ? ends.high[i] : ends.low[i]);
      gain.emplace_back(std::min(2 * u, u + 1), i);
    }
    std::sort(gain.begin(), gain.end(), [](auto& a, auto& b) { return a.first > b.first; });
    Sum mass;
    for (const auto& [at, i] : gain) {
      mass.add(rows.share(i));
      const double spent =
          set.cost * mass.value() * (strict ? rounding::lowered : rounding::raised);
      if (strict ? spent > set.radius : spent >= set.radius) return at / set.cost;
    }
    return -HUGE_VAL;
  };
  Interval found{std::max(norm.low, last_flip(true)), std::max(norm.high, last_flip(false))};
  found.low -= rounding::slack * std::abs(found.low);
  found.high += rounding::slack * std::abs(found.high);
  return t.intersect(found);
}

}  // namespace

RobustRegion region_of(const Problem& problem, const RobustSet& set, const RobustPair& pair,
                       const Vec& origin, Tick& tick) {
  RobustRegion found;
  Region& r = found.region;
  r.w = pair.w;
  r.b = pair.b;
  r.free = problem.free();
  r.zero.assign(static_cast<std::size_t>(pair.w.size()), 0);
  const double gap = std::isfinite(pair.gap) ? std::max(pair.gap, 0.0) : HUGE_VAL;
  const double radius =
      std::sqrt(2 * gap / set.ridge) * rounding::raised + rounding::of(4) * pair.w.norm();
  const double wide = set.norm.q == Norm::l1 ? std::sqrt(static_cast<double>(pair.w.size())) : 1.0;
  const double size = set.norm.norm(pair.w);
  found.norm = {std::max(0.0, (size - wide * radius) * rounding::lowered),
                (size + wide * radius) * rounding::raised};
  // radius t* <= P, and t* is at least the norm of w*
  found.t = {found.norm.low, pair.value / set.radius * rounding::raised};
  r.ball = {pair.w, radius, gap};
  const Ball other = multiplier_ball(problem, set, pair, tick);
  if (other.radius < radius) {
    r.ball.centre = other.centre;
    r.ball.radius = other.radius;
  }
  if (!r.free) return found;
  const bool flips = std::isfinite(set.cost);
  const auto rule = [&] {
    return flips ? flip_rule(problem.rows, set.cost, found.t) : offset_rule(problem);
  };
  // the range of the free intercept narrows that of t*, and the other way round
  for (int round = 0; round < 4; ++round) {
    found.rule = rule();
    r.centre = Around(problem.rows, r.ball.centre, r.ball.radius, found.rule, tick).centre(tick);
    if (!flips || round == 3) break;
    const Interval t =
        norm_bounds(problem.rows, set, found.norm, found.t, intervals(r, problem.rows, tick));
    if (!(t.low <= t.high)) break;
    found.t = t;
  }
  r.intercept =
      Around(problem.rows, r.ball.centre, r.ball.radius, found.rule, tick).at(origin, tick);
  return found;
}

}  // namespace dualmargin::region
