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
#include <vector>

#include "decide/refit.h"
#include "region/region.h"

namespace dualmargin::decide {

using region::Ends;
using region::Interval;
using region::Pair;
using region::Problem;

// What is asked of a class problem, and its pair.
template <class Data>
struct Fitted {
  const Problem<Data>& problem;
  const Pair& pair;
  const region::Ball& ball;
  const region::Ellipsoid& ellipsoid;
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

class EndsOf {
 public:
  explicit EndsOf(Index n) : ends{RowVec::Constant(n, -HUGE_VAL), RowVec::Constant(n, HUGE_VAL)} {}
  void meet(Index i, double low, double high) {
    if (low > ends.low[i]) ends.low[i] = low;
    if (high < ends.high[i]) ends.high[i] = high;
  }
  Ends ends;
};

// kappa w + U with its products. U = sum omega a x.
struct Residual {
  Vec e;
  double square, own, w_square, rounding;

  template <class Data>
  explicit Residual(const Fitted<Data>& fit)
      : e(fit.kappa() * fit.pair.w + fit.W() * fit.pair.u),
        square(e.squaredNorm()),
        own(e.dot(fit.pair.w)),
        w_square(fit.pair.w.squaredNorm()),
        rounding(fit.W() * fit.pair.u_rounding.norm() +
                 rounding::of(4) *
                     (fit.kappa() * fit.pair.w.norm() + fit.W() * fit.pair.u.norm())) {}
};

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

// No or a penalised intercept. Row i out, its a_i set to 0 and w kept: with F_i = sum_{j != i}
// omega_j FY_j and e_i = kappa_i w + U - omega_i a_i x_i the optimum without row i is in the ball
// around w - e_i/(2 kappa_i) with squared radius F_i/kappa_i + |e_i|^2/(4 kappa_i^2).
template <class Data>
void ball_removal(const Fitted<Data>& fit, EndsOf& ends, Tick& tick) {
  const auto& rows = fit.problem.rows;
  const Pair& pair = fit.pair;
  const Residual r(fit);
  const RowVec xe = rows.times(r.e, tick);
  const RowVec& squares = rows.squares(tick);
  const double d = static_cast<double>(pair.w.size()), lost = rounding::of(64 * std::sqrt(d));
  const double all = fit.W() * pair.mean_excess, l1 = fit.problem.g.l1;
  const Vec U = fit.W() * pair.u, U_off = fit.W() * pair.u_rounding;
  rows.rows.for_ranges(
      [&](Index begin, Index end, Tick& t) {
        for (Index i = begin; i < end; ++i, t.row(i)) {
          const double omega = fit.problem.omega(i), kappa = fit.kappa_without(omega);
          if (!(kappa > 0)) continue;
          const double out = omega * pair.a[i], less = fit.kappa() - kappa;
          const double score = pair.z[i] - pair.b, x2 = squares[i], x = std::sqrt(x2);
          const double rest = std::max(0.0, all - omega * pair.excess[i]);
          if (l1 > 0) {
            const Vec row = rows.row(i), moved = out * row;
            const NetParts parts =
                net_parts(pair.w, U - moved, U_off + rounding::of(4) * moved.cwiseAbs(), kappa,
                          kappa * l1 / fit.problem.g.l2);
            const double radius =
                std::sqrt((rest + parts.slack) / kappa + parts.apart * parts.apart / 4) + parts.off;
            const double middle = (score + row.dot(parts.dual_w)) / 2;
            const Vec size = row.cwiseAbs() + 2 * rows.before.cwiseAbs();
            const double half = radius * (1 + 1e-12) * x + pair.z_rounding[i] +
                                fit.lost_in_score() * size.dot(parts.dual_w.cwiseAbs());
            ends.meet(i, middle - half, middle + half);
            continue;
          }
          const double size = r.square + less * less * r.w_square + out * out * x2;
          const double e2 = size - 2 * less * r.own - 2 * out * xe[i] + 2 * less * out * score;
          const double e = std::sqrt(region::square_above(e2, lost * size)) + r.rounding;
          const double radius = std::sqrt(rest / kappa + e * e / (4 * kappa * kappa)) * (1 + 1e-12);
          const double middle = score - (xe[i] - less * score - out * x2) / (2 * kappa);
          const double half = radius * x + pair.z_rounding[i] +
                              (r.rounding * x +
                               fit.lost_in_score() * (std::abs(out) * x2 + x * std::sqrt(r.square) +
                                                      std::abs(less * score))) /
                                  kappa;
          ends.meet(i, middle - half, middle + half);
        }
      },
      tick);
}

// Sums of Fenchel-Young terms at a + tau h for a few tau. They are convex in tau, so chords are
// above them.
class TiltedSums {
 public:
  template <class Data>
  TiltedSums(const Fitted<Data>& fit, const RowVec& h) {
    constexpr int count = 12;
    for (int k = -count; k <= count; ++k) {
      const double size = std::pow(10.0, -5 + 5.0 * (std::abs(k) - 1) / (count - 1));
      tau_.push_back(k == 0 ? 0.0 : k < 0 ? -size : size);
    }
    for (const double tau : tau_) {
      sum_.push_back(fit.W() * region::mean_above(fit.problem, [&](Index i) {
                       const double y = fit.problem.y(i);
                       const double a = fit.problem.phi.nearest(fit.pair.a[i] + tau * h[i], y);
                       return region::excess_above(fit.problem.phi, fit.pair.z[i], a, y,
                                                   fit.pair.z_rounding[i]);
                     }));
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

// A free intercept. For T of either sign a' = a + tau h with a'_i = 0 has sum omega a' = T: that is
// a dual point of the problem without row i and with its score tilted by T, so f(x_i) is at most
// z_i + [sum_{j != i} omega_j FY(z_j, a'_j) + |kappa_i w + U - tau K (x_i - c)|^2/(2 kappa_i)]/T
// for T > 0, and at least the same for T < 0. K and c: weight and mean of the rows by omega h.
template <class Data>
void tilted_removal(const Fitted<Data>& fit, EndsOf& ends, Tick& tick) {
  const auto& rows = fit.problem.rows;
  const Pair& pair = fit.pair;
  const Index n = fit.n();
  const RowVec h = RowVec::of(n, [&](Index i) {
    return fit.problem.omega(i) > 0 ? fit.problem.phi.tilt(pair.a[i], fit.problem.y(i)) : 0.0;
  });
  const double mean = fit.problem.mean([&](Index i) { return h[i]; }), K = fit.W() * mean;
  if (!(mean > 0 && std::isfinite(mean))) return;
  const Vec centre = rows.cross(fit.problem.share * h, tick) / mean;
  const RowVec far = rows.distances(centre, tick);
  const Residual r(fit);
  const RowVec xe = rows.times(r.e, tick);
  const double ce = centre.dot(r.e), cw = centre.dot(pair.w);
  const TiltedSums sums(fit, h);
  const Vec& stored = fit.problem.sizes(tick).stored;
  const double d = static_cast<double>(pair.w.size()), lost = rounding::of(64 * std::sqrt(d));
  const double of_shift = rounding::of(4 * std::sqrt(static_cast<double>(n))) * stored.norm();
  const double all = std::max(fit.W() * pair.mean_excess, 1e-14), l1 = fit.problem.g.l1;
  const Vec U = fit.W() * pair.u, U_off = fit.W() * pair.u_rounding;
  const auto look = [&](Index i) {
    const double omega = fit.problem.omega(i), kappa = fit.kappa_without(omega);
    const double out = omega * pair.a[i], less = fit.kappa() - kappa;
    const double rest = K - omega * h[i], xw = pair.z[i] - pair.b - cw, along = xe[i] - ce;
    if (!(kappa > 0 && rest > 1e-12 * K)) return;
    const Vec apart = l1 > 0 ? Vec(rows.row(i) - centre) : Vec();
    const auto penalty = [&](double shift) {
      if (l1 > 0) {
        const Vec moved = shift * apart;
        const NetParts parts = net_parts(
            pair.w, U - moved,
            U_off + std::abs(shift) * of_shift / std::max(stored.norm(), 1e-300) * stored +
                rounding::of(4) * moved.cwiseAbs(),
            kappa, kappa * l1 / fit.problem.g.l2);
        return parts.slack + kappa / 2 * parts.apart * parts.apart;
      }
      const double size = r.square + less * less * r.w_square + shift * shift * far[i];
      const double e2 = size - 2 * less * r.own - 2 * shift * along + 2 * less * shift * xw;
      const double e = std::sqrt(region::square_above(e2, lost * size)) + r.rounding +
                       std::abs(shift) * of_shift;
      return e * e / (2 * kappa);
    };
    const double sizes = std::sqrt(all * kappa / std::max(far[i], 1e-300));
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
  rows.rows.for_ranges(
      [&](Index begin, Index end, Tick& t) {
        for (Index i = begin; i < end; ++i, t.row(i)) look(i);
      },
      tick);
}

// Removal never helps the removed row: phi_i(f(x_i)) without it is at least phi_i(z_i) less W gap /
// omega_i, for any convex loss and any penalty whose kappa stays. One end of a margin loss.
template <class Data>
void own_loss_removal(const Fitted<Data>& fit, EndsOf& ends) {
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
template <class Data>
void step_removal(const Fitted<Data>& fit, EndsOf& ends) {
  const region::Ellipsoid& e = fit.ellipsoid;
  const Pair& pair = fit.pair;
  const double W = fit.W(), mu = fit.problem.g.l2;
  const bool constant = fit.problem.phi.curving() == region::Curving::constant;
  const bool cost = fit.rule == Rule::cost;
  const auto psi = [&](double s) { return constant ? 1.0 : region::step_factor(s); };
  Vec penalty = Vec::Zero(pair.w.size() + e.free);
  penalty.head(pair.w.size()) = pair.w;
  const double pull = cost ? 0.0 : e.factor.norm(penalty), inflation = e.factor.inflation;
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
template <class Data>
Ends removal_bounds(const Fitted<Data>& fit, Tick& tick) {
  constexpr double most_net_entries = 2e8;
  EndsOf ends(fit.n());
  const double entries = static_cast<double>(fit.n()) * static_cast<double>(fit.pair.w.size());
  if (fit.problem.g.l1 == 0 || entries <= most_net_entries) {
    fit.problem.free() ? tilted_removal(fit, ends, tick) : ball_removal(fit, ends, tick);
  }
  // with an l1 part the subgradient of the fit serves without the row, if the penalty stays
  if (fit.ellipsoid.factor.usable() && (fit.problem.g.l1 == 0 || fit.rule == Rule::cost)) {
    step_removal(fit, ends);
  }
  if (fit.rule == Rule::cost) own_loss_removal(fit, ends);
  return ends.ends;
}

}  // namespace dualmargin::decide
