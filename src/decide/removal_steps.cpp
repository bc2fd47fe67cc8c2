#include "decide/removal_steps.h"

#include <Eigen/LU>
#include <algorithm>
#include <vector>

namespace dualmargin::decide {

Steps::Steps(const Fitted& fit, Tick& tick)
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
    bend_[i] = omega * fit.problem.phi.second(z, y);
  }
  if (!factor_.usable()) {
    factor_ = region::factored_hessian(fit.problem, RowVec(bend_ / fit.W()), tick);
  }
  const RowVec& squares = rows_.squares(tick);
  largest_ = std::sqrt(std::max(0.0, rows_.max([&](Index i) { return squares[i]; })));
  gradient_ = Vec(d + free());
  gradient_.head(d) = rows_.transpose_multiply(slope_, tick) + fit.kappa() * fit.pair.w;
  if (free()) gradient_[d] = rows_.sum([&](Index i) { return slope_[i]; });
}

void Steps::solve(Leaving& leaving, const Open& open, Tick& tick) const {
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

void Steps::points(const Leaving& leaving, FunctionRef<bool(const Vec& w, double b)> see,
                   Tick& tick) const {
  RemovalPoint at = first_step(leaving);
  for (int step = 1; step < 8 && see(at.w, at.b); ++step) {
    if (!newton_step(leaving, at, tick)) break;
  }
}

Vec Steps::bordered(Index i) const {
  Vec x(rows_.dim() + free());
  x.head(rows_.dim()) = rows_.row(i);
  if (free()) x[rows_.dim()] = 1;
  return x;
}

Vec Steps::penalty(const Vec& w) const {
  Vec v = Vec::Zero(w.size() + free());
  v.head(w.size()) = w;
  return v;
}

RemovalPoint Steps::moved(const RemovalPoint& at, const Vec& step) const {
  if (!step.allFinite()) return at;
  const Index d = at.w.size();
  return {at.w - step.head(d), free() ? at.b - step[d] : at.b};
}

RemovalPoint Steps::first_step(const Leaving& leaving) const {
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

RemovalPoint Steps::by_curvature(Leaving& leaving, const RemovalPoint& at, Tick& tick) const {
  const region::Ellipsoid& e = fit_.ellipsoid;
  const Index n = fit_.n(), d = at.w.size(), i = leaving.out[0];
  const double W = fit_.W(), kappa = leaving.kappa;
  const bool constant = fit_.problem.phi.curving() == Curving::constant;
  const RowVec z = rows_.multiply(at.w, tick) + (free() ? at.b : 0.0);
  RowVec pull(n);
  double most = 0;
  for (Index j = 0; j < n; ++j) {
    const double omega = fit_.problem.omega(j);
    pull[j] = j == i ? 0.0 : omega * fit_.problem.phi.left(z[j], fit_.problem.y(j));
    if (omega > 0) most = std::max(most, std::abs(z[j] - fit_.pair.z[j]));
  }
  Vec gradient(d + free());
  gradient.head(d) = rows_.transpose_multiply(pull, tick) + kappa * at.w;
  if (free()) gradient[d] = rows_.sum([&](Index j) { return pull[j]; });
  const double size = std::sqrt(rows_.sum([&](Index j) {
    const double omega = fit_.problem.omega(j);
    return omega > 0 ? pull[j] * pull[j] / omega : 0.0;
  }) / W);
  Vec terms(d + free());
  terms.head(d) = size * pairs_.stored() + fit_.problem.g.l2 * at.w.cwiseAbs();
  if (free()) terms[d] = size;
  const double wobble =
      fit_.lost_in_score() * ((largest_ + pairs_.shift()) * at.w.norm() + std::abs(at.b));
  const double lost = fit_.problem.cross_rounding() * factor_.inverse.dot(terms) + e.reach * wobble;
  const double h = e.norms[i] * e.norms[i] / W, shrink = kappa / fit_.kappa();
  const double leverage = bend_[i] * h / shrink, t = constant ? 0.0 : most + wobble;
  if (shrink > 0 && leverage < 1 - 1e-6 && t < 50) {
    const double grown = std::exp(t / 2) / std::sqrt(shrink * (1 - leverage));
    const double nu = (factor_.norm(gradient / W) + lost) * std::sqrt(W) * grown;
    const double apart = region::by_curvature(nu, e.reach / std::sqrt(W), constant, grown);
    const double half = std::sqrt(h) * apart * (1 + 1e-10) + wobble;
    leaving.intersect(0, z[i] - half, z[i] + half);
  }
  const Vec x = bordered(i), hx = factor_.solve(x) / W;
  const double own = x.dot(hx), bend = bend_[i] / std::max(shrink, 1e-300);
  Vec step = factor_.solve(gradient) / W;
  if (bend * own < 1 - 1e-6) step += hx * (bend / (1 - bend * own) * x.dot(step));
  return moved(at, step);
}

bool Steps::newton_step(const Leaving& leaving, RemovalPoint& at, Tick& tick) const {
  const Index n = fit_.n(), d = at.w.size();
  const RowVec omega = leaving.weights(rows_.weights), z = rows_.multiply(at.w, tick) + at.b;
  RowVec slope(n), h(n);
  for (Index i = 0; i < n; ++i) {
    slope[i] = omega[i] * fit_.problem.phi.left(z[i], fit_.problem.y(i));
    h[i] = omega[i] * fit_.problem.phi.second(z[i], fit_.problem.y(i)) / fit_.W();
  }
  const Problem smaller(rows_, fit_.problem.losses.held, {0, leaving.kappa / fit_.W()}, free());
  const region::Factor factor = region::factored_hessian(smaller, h, tick);
  if (!factor.usable()) return false;
  Vec gradient(d + free());
  gradient.head(d) = rows_.transpose_multiply(slope, tick) + leaving.kappa * at.w;
  if (free()) gradient[d] = rows_.sum([&](Index i) { return slope[i]; });
  at = moved(at, factor.solve(gradient) / fit_.W());
  return true;
}

}  // namespace dualmargin::decide
