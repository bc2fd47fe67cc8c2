// Bounds on the score that a row would have without it, for all rows at once from one pair. A
// penalty of kappa/2 |w|^2 stands beside sum omega phi: rule "cost" keeps kappa = mu W, rule
// "lambda" has kappa_i = mu (W - omega_i). With an l1 part L |w|_1 stands beside it, and for v = U
// of the dual point that is tried
//
//   w(a) = S(-v, L)/kappa,  q = clip(-v, -L, L),
//   g(w) + g*(-v) + v'w = sum_j |w_j| (L - sign(w_j) q_j) + kappa/2 |w - w(a)|^2.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <vector>

#include "decide/refit.h"
#include "region/region.h"

namespace dualmargin::decide {

using region::Ends;
using region::Interval;
using region::Pair;
using region::Problem;

// What is asked of a class problem, and its pair.
template <class AnyProblem, class AnyPair, class AnyBall, class AnyEllipsoid>
struct FittedIn {
  static constexpr bool by_columns = std::is_same_v<AnyPair, Pair>;

  const AnyProblem& problem;
  const AnyPair& pair;
  const AnyBall& ball;
  const AnyEllipsoid& ellipsoid;
  Rule rule;

  double W() const { return problem.total_weight(); }
  double kappa() const { return problem.g.l2 * W(); }
  double kappa_without(double weight) const {
    return rule == Rule::cost ? kappa() : problem.g.l2 * (W() - weight);
  }
  Index n() const { return problem.n(); }
  double lost_in_score() const {
    return rounding::of(2 * (static_cast<double>(pair.w.size()) + 3));
  }
};
template <class Data>
using Fitted = FittedIn<Problem<Data>, Pair, region::Ball, region::Ellipsoid>;

class EndsOf {
 public:
  explicit EndsOf(Index n) : ends{RowVec::Constant(n, -HUGE_VAL), RowVec::Constant(n, HUGE_VAL)} {}
  void meet(Index i, double low, double high) {
    if (low > ends.low[i]) ends.low[i] = low;
    if (high < ends.high[i]) ends.high[i] = high;
  }
  Ends ends;
};

// e = kappa w + U with its products, and the x_i'e. U = sum omega a x. rounding: of its length.
struct Residual {
  Vec e;
  double square, own, w_square, rounding;
  RowVec along;

  template <class Data>
  Residual(const Fitted<Data>& fit, Tick& tick)
      : e(fit.kappa() * fit.pair.w + fit.W() * fit.pair.u),
        square(e.squaredNorm()),
        own(e.dot(fit.pair.w)),
        w_square(fit.pair.w.squaredNorm()),
        rounding(fit.W() * fit.pair.u_rounding.norm() +
                 rounding::of(4) * (fit.kappa() * fit.pair.w.norm() + fit.W() * fit.pair.u.norm())),
        along(fit.problem.rows.times(e, tick)),
        off_(rounding::of(64 * std::sqrt(static_cast<double>(e.size())))),
        lost_(fit.lost_in_score()) {}

  // Of |e - less w - shift (x_i - c)|^2, computed from products; its terms together.
  double lost_in_square(Index, double, double, double terms) const { return off_ * terms; }
  // Of x_i'(e - less w - out x_i); x2: |x_i|^2.
  double lost_in_step(Index, double less, double score, double out, double x2) const {
    return lost_ * (std::abs(out) * x2 + std::sqrt(x2 * square) + std::abs(less * score));
  }

 private:
  double off_, lost_;
};
template <class Data>
Residual residual_of(const Fitted<Data>& fit, Tick& tick) {
  return {fit, tick};
}

// Of v, when a row leaves: the first sum, |w - w(a)| and w(a), with `off`, what rounding can have
// done to the entries of v, counted in.
struct NetParts {
  Vec dual_w;
  double slack, apart, off;
};
inline NetParts net_parts(const Vec& w, const Vec& v, const Vec& off, double kappa, double l1) {
  NetParts parts{Vec(w.size()), 0, 0, 0};
  for (Index j = 0; j < w.size(); ++j) {
    const double q = std::clamp(-v[j], -l1, l1), size = std::abs(w[j]);
    const double lost = off[j] + rounding::of(4) * (std::abs(v[j]) + l1 + kappa * size);
    const double sign = w[j] > 0 ? 1.0 : w[j] < 0 ? -1.0 : 0.0;
    parts.dual_w[j] = (-v[j] - q) / kappa;
    parts.slack += size * std::max(l1 - sign * q, 0.0);
    if (std::abs(v[j]) <= l1 + lost) parts.slack += size * lost;
    parts.off += lost * lost;
  }
  parts.off = std::sqrt(parts.off) / kappa;
  parts.apart = (w - parts.dual_w).norm() + parts.off;
  return parts;
}

// With an l1 part: the ball of one row.
template <class Data>
void net_ball_removal(const Fitted<Data>& fit, Index i, double rest, EndsOf& ends, Tick& tick) {
  const auto& rows = fit.problem.rows;
  const Pair& pair = fit.pair;
  const double omega = fit.problem.omega(i), kappa = fit.kappa_without(omega);
  const Vec row = rows.row(i), moved = omega * pair.a[i] * row;
  const NetParts parts = net_parts(pair.w, fit.W() * pair.u - moved,
                                   fit.W() * pair.u_rounding + rounding::of(4) * moved.cwiseAbs(),
                                   kappa, kappa * fit.problem.g.l1 / fit.problem.g.l2);
  const double radius =
      std::sqrt((rest + parts.slack) / kappa + parts.apart * parts.apart / 4) + parts.off;
  const double middle = (pair.z[i] - pair.b + row.dot(parts.dual_w)) / 2;
  const Vec size = row.cwiseAbs() + 2 * rows.before.cwiseAbs();
  const double half = radius * (1 + 1e-12) * std::sqrt(rows.squares(tick)[i]) + pair.z_rounding[i] +
                      fit.lost_in_score() * size.dot(parts.dual_w.cwiseAbs());
  ends.meet(i, middle - half, middle + half);
}

// No or a penalised intercept. Row i out, its a_i set to 0 and w kept: with F_i = sum_{j != i}
// omega_j FY_j and e_i = kappa_i w + U - omega_i a_i x_i the optimum without row i is in the ball
// around w - e_i/(2 kappa_i) with squared radius F_i/kappa_i + |e_i|^2/(4 kappa_i^2).
template <class Fit>
void ball_removal(const Fit& fit, EndsOf& ends, Tick& tick) {
  const auto& rows = fit.problem.rows;
  const auto& pair = fit.pair;
  const auto r = residual_of(fit, tick);
  const RowVec& squares = rows.squares(tick);
  const double all = fit.W() * pair.mean_excess;
  rows.rows.for_ranges(
      [&](Index begin, Index end, Tick& t) {
        for (Index i = begin; i < end; ++i, t.row(i)) {
          const double omega = fit.problem.omega(i), kappa = fit.kappa_without(omega);
          if (!(kappa > 0)) continue;
          const double rest = std::max(0.0, all - omega * pair.excess[i]);
          if constexpr (Fit::by_columns) {
            if (fit.problem.g.l1 > 0) {
              net_ball_removal(fit, i, rest, ends, t);
              continue;
            }
          }
          const double out = omega * pair.a[i], less = fit.kappa() - kappa;
          const double score = pair.z[i] - pair.b, x2 = squares[i], x = std::sqrt(x2);
          const double size = r.square + less * less * r.w_square + out * out * x2;
          const double e2 = size - 2 * less * r.own - 2 * out * r.along[i] + 2 * less * out * score;
          const double e =
              std::sqrt(region::square_above(e2, r.lost_in_square(i, less, out, size))) +
              r.rounding;
          const double radius = std::sqrt(rest / kappa + e * e / (4 * kappa * kappa)) * (1 + 1e-12);
          const double middle = score - (r.along[i] - less * score - out * x2) / (2 * kappa);
          const double half = radius * x + pair.z_rounding[i] +
                              (r.rounding * x + r.lost_in_step(i, less, score, out, x2)) / kappa;
          ends.meet(i, middle - half, middle + half);
        }
      },
      tick);
}

// Sums of Fenchel-Young terms at a + tau h for a few tau. They are convex in tau, so chords are
// above them.
class TiltedSums {
 public:
  template <class Fit>
  TiltedSums(const Fit& fit, const RowVec& h) {
    constexpr int count = 12;
    for (int k = -count; k <= count; ++k) {
      const double size = std::pow(10.0, -5 + 5.0 * (std::abs(k) - 1) / (count - 1));
      tau_.push_back(k == 0 ? 0.0 : k < 0 ? -size : size);
    }
    for (const double tau : tau_) {
      sum_.push_back(region::tilted_excess(fit.problem, fit.pair, h, tau));
    }
  }
  double above(double tau) const {  // |tau| <= 1
    const auto next = std::upper_bound(tau_.begin(), tau_.end() - 1, tau);
    const std::size_t k = std::max<std::ptrdiff_t>(next - tau_.begin(), 1);
    const double share = (tau - tau_[k - 1]) / (tau_[k] - tau_[k - 1]);
    return (1 - share) * sum_[k - 1] + share * sum_[k];
  }

 private:
  std::vector<double> tau_, sum_;
};

// The centre c of a tilt: |x_i - c|^2 from above, (x_i - c)'e and (x_i - c)'w. of_shift: the
// rounding of c, in units of its weights.
struct TiltPlace {
  RowVec far, along, score;
  double of_shift;
};
template <class Data>
struct ColumnPlace : TiltPlace {
  Vec centre, stored;

  // Of the last product in the square, beside what all its terms lose.
  double lost_in_square(Index, double) const { return 0; }

  // g(w) + g*(-v) + v'w with an l1 part
  double net(const Fitted<Data>& fit, Index i, double kappa, double shift) const {
    const Pair& pair = fit.pair;
    const Vec moved = shift * (fit.problem.rows.row(i) - centre);
    const NetParts parts =
        net_parts(pair.w, fit.W() * pair.u - moved,
                  fit.W() * pair.u_rounding +
                      std::abs(shift) * of_shift / std::max(stored.norm(), 1e-300) * stored +
                      rounding::of(4) * moved.cwiseAbs(),
                  kappa, kappa * fit.problem.g.l1 / fit.problem.g.l2);
    return parts.slack + kappa / 2 * parts.apart * parts.apart;
  }
};
template <class Data>
ColumnPlace<Data> tilt_place(const Fitted<Data>& fit, const region::TiltMass& mass,
                             const Residual& r, Tick& tick) {
  const auto& rows = fit.problem.rows;
  ColumnPlace<Data> at;
  at.centre = rows.cross(fit.problem.share * mass.h, tick) / mass.mean;
  at.stored = fit.problem.sizes(tick).stored;
  at.far = rows.distances(at.centre, tick);
  at.along = r.along - at.centre.dot(r.e);
  at.score = fit.pair.z - (fit.pair.b + at.centre.dot(fit.pair.w));
  at.of_shift = rounding::of(4 * std::sqrt(static_cast<double>(fit.n()))) * at.stored.norm();
  return at;
}

// A free intercept. For T of either sign a' = a + tau h with a'_i = 0 has sum omega a' = T: that is
// a dual point of the problem without row i and with its score tilted by T, so f(x_i) is at most
// z_i + [sum_{j != i} omega_j FY(z_j, a'_j) + |kappa_i w + U - tau K (x_i - c)|^2/(2 kappa_i)]/T
// for T > 0, and at least the same for T < 0. K and c: weight and mean of the rows by omega h.
template <class Fit>
void tilted_removal(const Fit& fit, EndsOf& ends, Tick& tick) {
  const auto& pair = fit.pair;
  const region::TiltMass mass = region::tilt_mass(fit.problem, pair, [](Index) { return true; });
  if (!mass.usable()) return;
  const double K = fit.W() * mass.mean;
  const auto r = residual_of(fit, tick);
  const auto at = tilt_place(fit, mass, r, tick);
  const TiltedSums sums(fit, mass.h);
  const double all = std::max(fit.W() * pair.mean_excess, 1e-14);
  const auto look = [&](Index i) {
    const double omega = fit.problem.omega(i), kappa = fit.kappa_without(omega);
    const double out = omega * pair.a[i], less = fit.kappa() - kappa;
    const double rest = K - omega * mass.h[i], far = at.far[i];
    if (!(kappa > 0 && rest > 1e-12 * K)) return;
    const auto penalty = [&](double shift) {
      if constexpr (Fit::by_columns) {
        if (fit.problem.g.l1 > 0) return at.net(fit, i, kappa, shift);
      }
      const double size = r.square + less * less * r.w_square + shift * shift * far;
      const double e2 =
          size - 2 * less * r.own - 2 * shift * at.along[i] + 2 * less * shift * at.score[i];
      const double e = std::sqrt(region::square_above(e2, r.lost_in_square(i, less, shift, size) +
                                                              at.lost_in_square(i, less * shift))) +
                       r.rounding + std::abs(shift) * at.of_shift;
      return e * e / (2 * kappa);
    };
    const double sizes = std::sqrt(all * kappa / std::max(far, 1e-300));
    for (const double base : {std::abs(out), sizes}) {
      for (const double share : {0.25, 0.5, 1.0, 2.0, 4.0}) {
        for (const double side : {-1.0, 1.0}) {
          const double T = side * share * base, tau = (T + out) / rest;
          if (!(std::isfinite(tau) && std::abs(tau) <= 1) || T == 0) continue;
          const double bound =
              (sums.above(tau) + penalty(tau * K)) / std::abs(T) * (1 + 1e-12) + pair.z_rounding[i];
          if (std::isnan(bound)) continue;
          if (side > 0) ends.meet(i, -HUGE_VAL, pair.z[i] + bound);
          if (side < 0) ends.meet(i, pair.z[i] - bound, HUGE_VAL);
        }
      }
    }
  };
  fit.problem.rows.rows.for_ranges(
      [&](Index begin, Index end, Tick& t) {
        for (Index i = begin; i < end; ++i, t.row(i)) look(i);
      },
      tick);
}

// Removal never helps the removed row: phi_i(f(x_i)) without it is at least phi_i(z_i) less W gap /
// omega_i, for any convex loss and any penalty whose kappa stays. One end of a margin loss.
template <class Fit>
void own_loss_removal(const Fit& fit, EndsOf& ends) {
  const region::Calculus& phi = fit.problem.phi;
  if (!phi.of_margins()) return;
  for (Index i = 0; i < fit.n(); ++i) {
    const double omega = fit.problem.omega(i), y = fit.problem.y(i);
    if (!(omega > 0)) continue;
    const double least =
        phi.loss().value(fit.pair.z[i] + y * fit.pair.z_rounding[i], y) * (1 - 1e-12);
    const double level = least - fit.W() * fit.ball.gap / omega * (1 + 1e-12);
    if (!(level > 0)) continue;
    const double at = phi.margin_at(level), margin = at + 1e-13 * std::abs(at) + 1e-12;
    if (y > 0) ends.meet(i, -HUGE_VAL, margin);
    if (y < 0) ends.meet(i, -margin, HUGE_VAL);
  }
}

// The logistic and the squared loss: the Newton step of a removal, with a bound on what it misses.
// With A_i = omega_i phi'(z_i), H = sum omega phi'' x x' + kappa, h_i = x_i'H^{-1}x_i,
// l_i = h_i/(1 - lev_i), lev_i = omega_i phi''_i h_i, g_i = |G|_{H^-1} (1 - lev_i)^{-1/2},
// d_i = |A_i| l_i^{1/2}, R_i = max_j h_j^{1/2} (1 - lev_i)^{-1/2} and t = d_i R_i the value without
// the row is within l_i^{1/2} nu psi(nu R_i), nu = g_i + d_i, of z_i, and within
// (l_i e^t)^{1/2} nu1 psi(nu1 R_i e^{t/2}), nu1 = e^{t/2} (g_i + d_i (e^t - 1 - t)/t), of
// z_i + A_i l_i. Rule "lambda": H shrinks by at most s = 1 - omega_i/W.
template <class Fit>
void step_removal(const Fit& fit, EndsOf& ends) {
  const auto& e = fit.ellipsoid;
  const auto& pair = fit.pair;
  const double W = fit.W(), mu = fit.problem.g.l2;
  const bool constant = fit.problem.phi.curving() == region::Curving::constant;
  const bool cost = fit.rule == Rule::cost;
  const auto psi = [&](double s) { return constant ? 1.0 : region::step_factor(s); };
  const double pull = cost ? 0.0 : e.length_of(pair.w), inflation = e.inflation();
  for (Index i = 0; i < fit.n(); ++i) {
    const double omega = fit.problem.omega(i), y = fit.problem.y(i), z = pair.z[i];
    const double out = omega * fit.problem.phi.left(z, y);
    const double bend = omega * fit.problem.phi.curvature(z, y), h = e.norms[i] * e.norms[i] / W;
    const double shrink = cost ? 1.0 : 1 - omega / W, leverage = bend * h / shrink;
    if (!(shrink > 0 && leverage < 1 - 1e-6)) continue;
    const double factor = 1 / std::sqrt(shrink * (1 - leverage)), l = h * factor * factor;
    const double g =
        e.nu * std::sqrt(W) * factor + (cost ? 0.0 : mu * omega * factor / std::sqrt(W) * pull);
    const double d = std::abs(out) * std::sqrt(l), reach = e.reach / std::sqrt(W) * factor;
    const double lost = pair.z_rounding[i];
    const double step_of_high = h / (1 - std::min(bend * h, 1 - 1e-6));
    const double rounding = lost + rounding::of(8) * (std::abs(z) + std::abs(out) * step_of_high);
    const double half = std::sqrt(l) * (g + d) * psi((g + d) * reach) * (1 + 1e-10) + rounding;
    ends.meet(i, z - half, z + half);
    const double t = constant ? 0.0 : d * reach;
    // after a step another subgradient of an l1 part may be due
    if (!(t < 50) || fit.problem.g.l1 > 0) continue;
    const double growth = std::exp(t);
    const double missed = t < 1e-5 ? t / 2 + t * t / 6 * (1 + t) : (std::expm1(t) - t) / t;
    const double nu = std::sqrt(growth) * (g + d * (missed + 1 / shrink - 1));
    // the step itself, from both ends of the norm
    const double low = h / std::pow(inflation, 4);
    const double step_of_low = low / (1 - std::min(bend * low, 1 - 1e-6));
    const double centre = z + out * (step_of_low + step_of_high) / 2;
    const double stepped = (std::sqrt(l * growth) * nu * psi(nu * reach * std::sqrt(growth)) +
                            std::abs(out) * (step_of_high - step_of_low)) *
                               (1 + 1e-10) +
                           rounding;
    ends.meet(i, centre - stepped, centre + stepped);
  }
}

// Everything that is known without a step: the tightest of all.
template <class Fit>
Ends removal_bounds(const Fit& fit, Tick& tick) {
  constexpr double most_net_entries = 2e8;
  EndsOf ends(fit.n());
  const double l1 = fit.problem.g.l1;
  if (l1 == 0 || static_cast<double>(fit.n()) * fit.problem.rows.dim() <= most_net_entries) {
    fit.problem.free() ? tilted_removal(fit, ends, tick) : ball_removal(fit, ends, tick);
  }
  // with an l1 part the subgradient of the fit serves without the row, if the penalty stays
  if (fit.ellipsoid.norms.size() > 0 && (l1 == 0 || fit.rule == Rule::cost)) {
    step_removal(fit, ends);
  }
  if (fit.rule == Rule::cost) own_loss_removal(fit, ends);
  return ends.ends;
}

}  // namespace dualmargin::decide
