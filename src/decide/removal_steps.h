// The optimum without some rows, found for the rows that the bounds leave open, by Newton steps of
// a smooth loss with a ridge. Each gives a pair of the smaller problem, and that an interval; steps
// need not be exact for the interval to hold.
#pragma once

#include <Eigen/LU>
#include <algorithm>
#include <vector>

#include "decide/removal_bounds.h"

namespace dualmargin::decide {

// Rows that leave together, with the interval of each and the penalty without them.
struct Leaving {
  std::vector<Index> out;
  double kappa = 0;
  std::vector<Interval> ends;

  void meet(std::size_t j, double low, double high) {
    if (low > ends[j].low) ends[j].low = low;
    if (high < ends[j].high) ends[j].high = high;
  }
};

struct Point {
  Vec w;
  double b = 0;
};

template <class Data>
class Steps {
 public:
  explicit Steps(const Fitted<Data>& fit, Tick& tick)
      : fit_(fit),
        rows_(fit.problem.rows),
        factor_(fit.ellipsoid.factor),
        slope_(fit.n()),
        bend_(fit.n()) {
    const Index n = fit.n(), d = fit.pair.w.size();
    for (Index i = 0; i < n; ++i) {
      const double omega = fit.problem.omega(i), y = fit.problem.y(i), z = fit.pair.z[i];
      slope_[i] = omega * fit.problem.phi.left(z, y);
      bend_[i] = omega * fit.problem.phi.curvature(z, y);
    }
    if (!factor_.usable()) {
      factor_ = region::factored_hessian(fit.problem, RowVec(bend_ / fit.W()), tick);
    }
    const RowVec& squares = rows_.squares(tick);
    largest_ = std::sqrt(std::max(0.0, rows_.rows.max([&](Index i) { return squares[i]; })));
    before_ = (rows_.shift.cwiseAbs() + 2 * rows_.before.cwiseAbs()).norm();
    stored_ = fit.problem.sizes(tick).stored;
    gradient_ = Vec(d + free());
    gradient_.head(d) = rows_.cross(slope_, tick) + fit.kappa() * fit.pair.w;
    if (free()) gradient_[d] = rows_.rows.sum([&](Index i) { return slope_[i]; });
  }

  // Is the curvature at the fit certain around it?
  bool curved() const { return fit_.ellipsoid.factor.usable() && fit_.ellipsoid.norms.size() > 0; }

  // Until open(leaving) is false. With one Hessian in up to three steps where the curvature is
  // certain, by the pair for what that leaves open, then with Hessians of their own, at most eight.
  template <class Open>
  void solve(Leaving& leaving, Open open, Tick& tick) const {
    Point at = first_step(leaving);
    bool more = true;
    if (curved() && leaving.out.size() == 1) {
      for (int step = 0; step < 3 && more; ++step) {
        at = by_curvature(leaving, at, tick);
        more = open(leaving);
      }
    }
    if (!more) return;
    by_pair(leaving, at, tick);
    for (int step = 1; step < 8 && open(leaving); ++step) {
      if (!newton_step(leaving, at, tick)) break;
      by_pair(leaving, at, tick);
    }
  }

 private:
  bool free() const { return fit_.problem.free(); }
  bool leaves(const Leaving& leaving, Index i) const {
    for (const Index j : leaving.out) {
      if (j == i) return true;
    }
    return false;
  }
  RowVec weights_without(const Leaving& leaving) const {
    RowVec omega = rows_.rows.weights;
    for (const Index i : leaving.out) omega[i] = 0;
    return omega;
  }
  Vec bordered(Index i) const {
    Vec x(rows_.dim() + free());
    x.head(rows_.dim()) = rows_.row(i);
    if (free()) x[rows_.dim()] = 1;
    return x;
  }
  Vec penalty(const Vec& w) const {
    Vec v = Vec::Zero(w.size() + free());
    v.head(w.size()) = w;
    return v;
  }
  Point moved(const Point& at, const Vec& step) const {
    if (!step.allFinite()) return at;
    const Index d = at.w.size();
    return {at.w - step.head(d), free() ? at.b - step[d] : at.b};
  }

  // (w, b) - H_{-S}^{-1} G_{-S}; where that matrix is lacking (w, b) itself. Woodbury:
  // (H - X D X')^{-1} = H^{-1} + H^{-1} X (D^{-1} - X'H^{-1}X)^{-1} X'H^{-1}
  Point first_step(const Leaving& leaving) const {
    const Point at{fit_.pair.w, fit_.pair.b};
    if (!factor_.usable()) return at;
    const double W = fit_.W();
    Vec rest = gradient_ - (fit_.kappa() - leaving.kappa) * penalty(at.w);
    std::vector<Vec> columns;
    for (const Index i : leaving.out) {
      const Vec x = bordered(i);
      rest -= slope_[i] * x;
      if (bend_[i] > 0) columns.push_back(std::sqrt(bend_[i]) * x);
    }
    Vec step = factor_.solve(rest) / W;
    const auto used = static_cast<Index>(columns.size());
    if (used > 0) {
      Mat X(rest.size(), used), HX(rest.size(), used);
      for (Index k = 0; k < used; ++k) {
        X.col(k) = columns[k];
        HX.col(k) = factor_.solve(columns[k]) / W;
      }
      const Mat core = Mat::Identity(used, used) - X.transpose() * HX;
      const Vec more = HX * core.partialPivLu().solve(X.transpose() * step);
      if (more.allFinite()) step += more;
    }
    return moved(at, step);
  }

  // One row out: at a point v near the fit, H_{-i}(v) >= e^{-t} H_{-i} with t the largest change of
  // a score, so with the gradient G of the smaller problem at v
  //   nu = e^{t/2} |G|_{H_{-i}^-1}:  |f(x_i) - v'x_i| <= (e^t l_i)^{1/2} nu psi(nu e^{t/2} R_i).
  // Returns the next point, v - H_{-i}^{-1} G by the rank-one change of H.
  Point by_curvature(Leaving& leaving, const Point& at, Tick& tick) const {
    const region::Ellipsoid& e = fit_.ellipsoid;
    const Index n = fit_.n(), d = at.w.size(), i = leaving.out[0];
    const double W = fit_.W(), kappa = leaving.kappa;
    const bool constant = fit_.problem.phi.curving() == region::Curving::constant;
    const RowVec z = rows_.times(at.w, tick) + (free() ? at.b : 0.0);
    RowVec pull(n);
    double most = 0;
    for (Index j = 0; j < n; ++j) {
      const double omega = fit_.problem.omega(j);
      pull[j] = j == i ? 0.0 : omega * fit_.problem.phi.left(z[j], fit_.problem.y(j));
      if (omega > 0) most = std::max(most, std::abs(z[j] - fit_.pair.z[j]));
    }
    Vec gradient(d + free());
    gradient.head(d) = rows_.cross(pull, tick) + kappa * at.w;
    if (free()) gradient[d] = rows_.rows.sum([&](Index j) { return pull[j]; });
    const double size = std::sqrt(rows_.rows.sum([&](Index j) {
      const double omega = fit_.problem.omega(j);
      return omega > 0 ? pull[j] * pull[j] / omega : 0.0;
    }) / W);
    Vec terms(d + free());
    terms.head(d) = size * stored_ + fit_.problem.g.l2 * at.w.cwiseAbs();
    if (free()) terms[d] = size;
    const double wobble =
        fit_.lost_in_score() * ((largest_ + before_) * at.w.norm() + std::abs(at.b));
    const double lost =
        fit_.problem.cross_rounding() * factor_.inverse.dot(terms) + e.reach * wobble;
    const double h = e.norms[i] * e.norms[i] / W, shrink = kappa / fit_.kappa();
    const double leverage = bend_[i] * h / shrink, t = constant ? 0.0 : most + wobble;
    if (shrink > 0 && leverage < 1 - 1e-6 && t < 50) {
      const double grown = std::exp(t / 2) / std::sqrt(shrink * (1 - leverage));
      const double nu = (factor_.norm(gradient / W) + lost) * std::sqrt(W) * grown;
      const double psi = constant ? 1.0 : region::step_factor(nu * e.reach / std::sqrt(W) * grown);
      const double half = std::sqrt(h) * grown * nu * psi * (1 + 1e-10) + wobble;
      leaving.meet(0, z[i] - half, z[i] + half);
    }
    const Vec x = bordered(i), hx = factor_.solve(x) / W;
    const double own = x.dot(hx), bend = bend_[i] / std::max(shrink, 1e-300);
    Vec step = factor_.solve(gradient) / W;
    if (bend * own < 1 - 1e-6) step += hx * (bend / (1 - bend * own) * x.dot(step));
    return moved(at, step);
  }

  bool newton_step(const Leaving& leaving, Point& at, Tick& tick) const {
    const Index n = fit_.n(), d = at.w.size();
    const RowVec omega = weights_without(leaving), z = rows_.times(at.w, tick) + at.b;
    RowVec slope(n), h(n);
    for (Index i = 0; i < n; ++i) {
      slope[i] = omega[i] * fit_.problem.phi.left(z[i], fit_.problem.y(i));
      h[i] = omega[i] * fit_.problem.phi.curvature(z[i], fit_.problem.y(i)) / fit_.W();
    }
    const Problem<Data> smaller(rows_, fit_.problem.phi, {0, leaving.kappa / fit_.W()}, free());
    const region::Factor factor = region::factored_hessian(smaller, h, tick);
    if (!factor.usable()) return false;
    Vec gradient(d + free());
    gradient.head(d) = rows_.cross(slope, tick) + leaving.kappa * at.w;
    if (free()) gradient[d] = rows_.rows.sum([&](Index i) { return slope[i]; });
    at = moved(at, factor.solve(gradient) / fit_.W());
    return true;
  }

  // The interval by the pair of the point, with b moved to its root, and a = phi'(z), balanced for
  // a free intercept.
  void by_pair(Leaving& leaving, const Point& at, Tick& tick) const {
    const Index n = fit_.n();
    const region::Calculus& phi = fit_.problem.phi;
    const RowVec omega = weights_without(leaving);
    const RowLosses losses(phi.loss(), rows_.rows.y, omega, free(), rows_.rows.team);
    RowVec z = rows_.times(at.w, tick);
    if (free()) z += losses.best_intercept(z, at.b);
    RowVec a(n), lost(n);
    const RowVec& squares = rows_.squares(tick);
    const double length = at.w.norm();
    for (Index i = 0; i < n; ++i) {
      a[i] = phi.left(z[i], fit_.problem.y(i));
      lost[i] =
          fit_.lost_in_score() * ((std::sqrt(squares[i]) + before_) * length + std::abs(z[i]));
    }
    losses.balance(a);
    const auto excess = [&](const auto& dual) {
      return (1 + rounding::of_value()) * rows_.rows.sum([&](Index i) {
        return omega[i] > 0
                   ? omega[i] * region::excess_above(phi, z[i], dual(i), fit_.problem.y(i), lost[i])
                   : 0.0;
      });
    };
    const double kappa = leaving.kappa;
    const RowVec mass = omega * a;
    const Vec e = kappa * at.w + rows_.cross(mass, tick);
    const double a_square = rows_.rows.sum([&](Index i) { return mass[i] * a[i]; });
    const double rounding =
        fit_.problem.cross_rounding() * stored_.norm() * std::sqrt(fit_.W() * a_square) +
        rounding::of(4) * kappa * length;
    const double rest = excess([&](Index i) { return a[i]; }), e_size = e.norm() + rounding;
    if (!free()) {
      const double radius =
          std::sqrt(rest / kappa + e_size * e_size / (4 * kappa * kappa)) * (1 + 1e-12);
      for (std::size_t j = 0; j < leaving.out.size(); ++j) {
        const Index i = leaving.out[j];
        const double far = std::sqrt(squares[i]);
        const double middle = z[i] - rows_.dot(i, e) / (2 * kappa);
        const double half = radius * far + far * (rounding + 1e-14 * e_size) / kappa + lost[i];
        leaving.meet(j, middle - half, middle + half);
      }
      return;
    }
    // as tilted_removal(), the sums taken at the tilts themselves
    const RowVec h = RowVec::of(n, [&](Index i) { return phi.tilt(a[i], fit_.problem.y(i)); });
    const double K = rows_.rows.sum([&](Index i) { return omega[i] * h[i]; });
    if (!(K > 0 && std::isfinite(K))) return;
    const Vec centre = rows_.cross(omega * h, tick) / K;
    for (std::size_t j = 0; j < leaving.out.size(); ++j) {
      const Index i = leaving.out[j];
      const Vec apart = rows_.row(i) - centre;
      const double far = apart.norm() * (1 + 1e-12) + rounding::of(16) * rows_.before.norm();
      const double base = std::sqrt((rest + e_size * e_size / (2 * kappa)) /
                                    (far * far / (2 * kappa) + 1 / (2 * K)));
      for (const double share : {1.0, 3.0}) {
        for (const double side : {-1.0, 1.0}) {
          const double T = side * share * base, tau = T / K;
          if (!(std::isfinite(tau) && std::abs(tau) <= phi.reach()) || tau == 0) continue;
          const double moved =
              excess([&](Index r) { return phi.nearest(a[r] + tau * h[r], fit_.problem.y(r)); });
          const double size = (e - T * apart).norm() + rounding + 1e-13 * std::abs(T) * far;
          const double bound =
              (moved + size * size / (2 * kappa)) / std::abs(T) * (1 + 1e-12) + lost[i];
          if (!std::isfinite(bound)) continue;
          if (side > 0) leaving.meet(j, -HUGE_VAL, z[i] + bound);
          if (side < 0) leaving.meet(j, z[i] - bound, HUGE_VAL);
        }
      }
    }
  }

  const Fitted<Data>& fit_;
  const region::MovedRows<Data>& rows_;
  region::Factor factor_;
  RowVec slope_, bend_;  // times omega
  Vec gradient_, stored_;
  double largest_ = 0, before_ = 0;
};

}  // namespace dualmargin::decide
