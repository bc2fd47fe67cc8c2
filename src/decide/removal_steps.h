// The optimum without some rows, found for the rows that the bounds leave open, by Newton steps of
// a smooth loss with a ridge. Each gives a pair of the smaller problem, and that an interval; steps
// need not be exact for the interval to hold.
#pragma once

#include <Eigen/LU>
#include <algorithm>
#include <vector>

#include "decide/removal_pair.h"

namespace dualmargin::decide {

class Steps {
 public:
  explicit Steps(const Fitted& fit, Tick& tick)
      : fit_(fit),
        rows_(fit.problem.rows),
        pairs_(fit, tick),
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
    RemovalPoint at = first_step(leaving);
    bool more = true;
    if (curved() && leaving.out.size() == 1) {
      for (int step = 0; step < 3 && more; ++step) {
        at = by_curvature(leaving, at, tick);
        more = open(leaving);
      }
    }
    if (!more) return;
    pairs_.look(leaving, at, tick);
    for (int step = 1; step < 8 && open(leaving); ++step) {
      if (!newton_step(leaving, at, tick)) break;
      pairs_.look(leaving, at, tick);
    }
  }

  // Points nearer and nearer to the optimum, as long as see(w, b).
  template <class See>
  void points(const Leaving& leaving, See see, Tick& tick) const {
    RemovalPoint at = first_step(leaving);
    for (int step = 1; step < 8 && see(at.w, at.b); ++step) {
      if (!newton_step(leaving, at, tick)) break;
    }
  }

 private:
  bool free() const { return fit_.problem.free(); }
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
  RemovalPoint moved(const RemovalPoint& at, const Vec& step) const {
    if (!step.allFinite()) return at;
    const Index d = at.w.size();
    return {at.w - step.head(d), free() ? at.b - step[d] : at.b};
  }

  // (w, b) - H_{-S}^{-1} G_{-S}; where that matrix is lacking (w, b) itself. Woodbury:
  // (H - X D X')^{-1} = H^{-1} + H^{-1} X (D^{-1} - X'H^{-1}X)^{-1} X'H^{-1}
  RemovalPoint first_step(const Leaving& leaving) const {
    const RemovalPoint at{fit_.pair.w, fit_.pair.b};
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
  RemovalPoint by_curvature(Leaving& leaving, const RemovalPoint& at, Tick& tick) const {
    const region::Ellipsoid& e = fit_.ellipsoid;
    const Index n = fit_.n(), d = at.w.size(), i = leaving.out[0];
    const double W = fit_.W(), kappa = leaving.kappa;
    const bool constant = fit_.problem.phi.curving() == region::Curving::constant;
    const RowVec z = rows_.multiply(at.w, tick) + (free() ? at.b : 0.0);
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
    terms.head(d) = size * pairs_.stored() + fit_.problem.g.l2 * at.w.cwiseAbs();
    if (free()) terms[d] = size;
    const double wobble =
        fit_.lost_in_score() * ((largest_ + pairs_.shift()) * at.w.norm() + std::abs(at.b));
    const double lost =
        fit_.problem.cross_rounding() * factor_.inverse.dot(terms) + e.reach * wobble;
    const double h = e.norms[i] * e.norms[i] / W, shrink = kappa / fit_.kappa();
    const double leverage = bend_[i] * h / shrink, t = constant ? 0.0 : most + wobble;
    if (shrink > 0 && leverage < 1 - 1e-6 && t < 50) {
      const double grown = std::exp(t / 2) / std::sqrt(shrink * (1 - leverage));
      const double nu = (factor_.norm(gradient / W) + lost) * std::sqrt(W) * grown;
      const double psi = constant ? 1.0 : region::step_factor(nu * e.reach / std::sqrt(W) * grown);
      const double half = std::sqrt(h) * grown * nu * psi * (1 + 1e-10) + wobble;
      leaving.intersect(0, z[i] - half, z[i] + half);
    }
    const Vec x = bordered(i), hx = factor_.solve(x) / W;
    const double own = x.dot(hx), bend = bend_[i] / std::max(shrink, 1e-300);
    Vec step = factor_.solve(gradient) / W;
    if (bend * own < 1 - 1e-6) step += hx * (bend / (1 - bend * own) * x.dot(step));
    return moved(at, step);
  }

  bool newton_step(const Leaving& leaving, RemovalPoint& at, Tick& tick) const {
    const Index n = fit_.n(), d = at.w.size();
    const RowVec omega = leaving.weights(rows_.rows.weights), z = rows_.multiply(at.w, tick) + at.b;
    RowVec slope(n), h(n);
    for (Index i = 0; i < n; ++i) {
      slope[i] = omega[i] * fit_.problem.phi.left(z[i], fit_.problem.y(i));
      h[i] = omega[i] * fit_.problem.phi.curvature(z[i], fit_.problem.y(i)) / fit_.W();
    }
    const Problem smaller(rows_, fit_.problem.phi, {0, leaving.kappa / fit_.W()}, free());
    const region::Factor factor = region::factored_hessian(smaller, h, tick);
    if (!factor.usable()) return false;
    Vec gradient(d + free());
    gradient.head(d) = rows_.cross(slope, tick) + leaving.kappa * at.w;
    if (free()) gradient[d] = rows_.rows.sum([&](Index i) { return slope[i]; });
    at = moved(at, factor.solve(gradient) / fit_.W());
    return true;
  }

  const Fitted& fit_;
  const region::MovedRows& rows_;
  PairWithout pairs_;
  region::Factor factor_;
  RowVec slope_, bend_;  // times omega
  Vec gradient_;
  double largest_ = 0;
};

}  // namespace dualmargin::decide
