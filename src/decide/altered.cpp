#include "decide/altered.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "algebra/cholesky.h"
#include "base/slack.h"
#include "decide/altered_step.h"

namespace dualmargin::decide {

AlteredOptima::AlteredOptima(const Problem& problem, Vec w, double b, Tick& tick,
                             const region::Ellipsoid& known)
    : problem_(problem),
      rows_(problem.rows),
      w_(std::move(w)),
      b_(b),
      z_(rows_.multiply(w_, tick) + b_),
      bend_(problem.n()) {
  for (Index i = 0; i < problem_.n(); ++i) {
    bend_[i] = problem_.omega(i) * problem_.phi.second(z_[i], problem_.y(i));
    largest_score_ = std::max(largest_score_, std::abs(z_[i]));
  }
  metric_ = known.factor.usable()
                ? metric(unaltered(), bend_, known.factor, RowVec(known.norms / root_W()))
                : metric(unaltered(), bend_, 0, tick);
  metric_.of_fit = true;
  const RowVec& squares = rows_.squares(tick);
  largest_ = std::sqrt(rows_.max([&](Index i) { return squares[i]; }));
  if (usable()) gradient_ = look(unaltered(), metric_, w_, b_, tick).gradient;
}

Vec AlteredOptima::bordered(Index i) const {
  Vec x = Vec::Ones(rows_.dim() + free());
  x.head(rows_.dim()) = rows_.row(i);
  return x;
}

Arrival AlteredOptima::arrival(Vec x, Tick& tick) const {
  Arrival in;
  in.white = metric_.factor->whitened(x);
  in.inverse = solve(metric_, x);
  in.h = in.white.squaredNorm() / W();
  in.norm = in.white.norm() * metric_.factor->inflation / root_W();
  const Index d = rows_.dim();
  in.products = rows_.multiply(in.inverse.head(d), tick);
  if (free()) in.products += in.inverse[d];
  in.lost = 2 * (metric_.factor->inflation - 1) + rounding::slack;
  in.loose = rounding::of(2 * (static_cast<double>(d) + 4)) *
             ((largest_ + rows_.shift.norm()) * in.inverse.head(d).norm() +
              (free() ? std::abs(in.inverse[d]) : 0.0));
  in.x = std::move(x);
  return in;
}

void AlteredOptima::leave(const Altered& of, int most, FunctionRef<bool(const Point&)> use,
                          Tick& tick) const {
  constexpr int most_taken = 8;
  constexpr double least = 0.1;
  std::vector<Index> taken;
  for (const Index i : of.out) {
    if (metric_.leverage[i] > least && taken.size() < most_taken) taken.push_back(i);
  }
  Metric own = taken.empty() ? Metric() : metric_;
  for (const Index i : taken) bend_row(own, i, 0, tick);
  const Metric& m = taken.empty() ? metric_ : own;
  Vec w = w_;
  double b = b_;
  move(w, b, step(of, m, gradient_without(of), tick));
  walk(of, m, std::move(w), b, most, use, tick);
}

region::Interval AlteredOptima::interval(const Altered& of, const Point& p, Index i) const {
  const double z = p.at.z[i], half = half_width(p, i), kappa = of.ridge.maxCoeff();
  const region::Interval own{z - half, z + half};
  if (free() || of.ridge.minCoeff() != kappa) return own;
  const Index d = rows_.dim();
  const double length = std::sqrt(rows_.row(i).squaredNorm() * rounding::raised);
  const double off = p.at.lost * p.metric.factor->size.norm() * root_W();
  const double reach = (p.at.gradient.norm() + off) / (2 * kappa) * length;
  const double middle = z - rows_.dot(i, p.at.gradient.head(d)) / (2 * kappa);
  const double ball = reach * (1 + rounding::of(2 * static_cast<double>(d) + 16)) +
                      off / (2 * kappa) * length + p.at.wobble;
  return own.intersect({middle - ball, middle + ball});
}

double AlteredOptima::half_width(const Point& p, Index i) const {
  const double length = std::sqrt(rows_.row(i).squaredNorm() * rounding::raised + free());
  // of a row of zeros nothing is open, however little is known of the optimum
  const double near = length > 0 ? std::min(p.base * metric_.norms[i], p.plain * length) : 0.0;
  return near + p.at.wobble;
}

Vec AlteredOptima::gradient_without(const Altered& of) const {
  Vec found = gradient_;
  found.head(rows_.dim()) += (of.ridge.array() - kappa()).matrix().cwiseProduct(w_);
  for (const Index i : of.out) {
    const Vec x = bordered(i);
    found -= problem_.omega(i) * problem_.phi.left(score(x, w_, b_), problem_.y(i)) * x;
  }
  return found;
}

Vec AlteredOptima::step(const Altered& of, const Metric& m, const Vec& gradient, Tick& tick) const {
  Vec by = solve(m, gradient);
  std::vector<Index> bent;
  for (const Index j : of.out) {
    if (m.bend[j] > 0) bent.push_back(j);
  }
  const auto k = static_cast<Index>(bent.size());
  if (k == 0) return by;
  Mat x(by.size(), k), mx(by.size(), k);
  for (Index c = 0; c < k; ++c) {
    x.col(c) = bordered(bent[c]) * std::sqrt(m.bend[bent[c]]);
    mx.col(c) = solve(m, x.col(c));
  }
  Cholesky rest;
  const bool apart = rest.factor(Mat::Identity(k, k) - x.transpose() * mx, tick);
  if (!apart || !(rest.least_pivot() > 1e-3)) return by;
  return by + mx * rest.solve(x.transpose() * by);
}

void AlteredOptima::walk(const Altered& of, const Metric& start, Vec w, double b, int most,
                         FunctionRef<bool(const Point&)> use, Tick& tick) const {
  Metric bent;
  const Metric* used = &start;
  double last = HUGE_VAL;
  for (int steps = 1; w.allFinite() && std::isfinite(b); ++steps) {
    const Metric& m = *used;
    const Derivatives at = look(of, m, w, b, tick);
    const double shared = shared_radius(of, m, at);
    // the share of each row, where one of all rows proves nothing
    const bool sharp = !std::isfinite(shared);
    const auto seen = [&](double within) {
      const double base = within * m.grow * (1 + m.slack);
      return use(point({w, b, at, m, within, base, HUGE_VAL, steps, false, false}, of));
    };
    // without a free intercept the gradient alone may tell enough
    if ((!sharp || !free()) && seen(shared)) return;
    const double ball = sharp ? radius(of, m, at) : shared;
    if (sharp && seen(ball)) return;
    if (at.g <= 2 * at.lost || at.g > 0.5 * last || steps >= most) {
      if (!sharp) seen(radius(of, m, at));
      return;
    }
    last = at.g;
    const bool far = !(ball * m.grow * (1 + m.slack) * metric_.reach <= 1e-3 * largest_score_);
    if (of.in == nullptr && steps == 1 && far) {
      bent = start;
      if (bend_most(bent, of, at.z, tick)) last = HUGE_VAL;
      used = &bent;
    }
    move(w, b, step(of, *used, at.gradient, tick));
  }
}

void AlteredOptima::newton(const Altered& of, Vec w, double b, int steps,
                           FunctionRef<bool(const Point&)> use, Tick& tick) const {
  for (int round = 0; round < 40; ++round) {
    const RowVec z = rows_.multiply(w, tick) + b;
    RowVec bend(problem_.n());
    const auto bend_at_least = [&](double share) {
      for (Index j = 0; j < problem_.n(); ++j) {
        bend[j] = problem_.omega(j) *
                  std::max(problem_.phi.second(z[j], problem_.y(j)), share / problem_.phi.gamma());
      }
      for (const Index j : of.out) bend[j] = 0;
    };
    const double in_bend =
        of.in == nullptr ? 0.0
                         : of.in->omega * problem_.phi.second(score(of.in->x, w, b), of.in->y);
    bend_at_least(0);
    Metric own = metric(of, bend, in_bend, tick);
    if (own.factor == nullptr) {
      bend_at_least(1e-3);
      own = metric(of, bend, in_bend, tick);
      if (own.factor == nullptr) return;
    }
    const Derivatives at = look(of, own, w, b, tick);
    const double found = radius(of, own, at);
    double grown = 1;
    for (Index j = 0; j < problem_.n(); ++j) {
      grown += std::max(0.0, bend_[j] - bend[j]) * own.norms[j] * own.norms[j];
    }
    for (Index k = 0; k < rows_.dim(); ++k) {
      if (of.ridge[k] > 0) grown += std::max(0.0, kappa() / of.ridge[k] - 1) * own.ridge[k];
    }
    const double plain = found * own.factor->inverse.norm() * own.factor->inflation / root_W();
    if (use(point({w, b, at, own, found, found * std::sqrt(grown) * rounding::raised, plain, steps,
                   true, false},
                  of))) {
      return;
    }
    if (at.g <= 2 * at.lost) return;
    const Vec by = solve(own, at.gradient);
    move(w, b, by, best_share(problem_, of, {at.z, at.arrived}, w, by, tick));
  }
}

AlteredOptima::Point AlteredOptima::point(Point p, const Altered& of) const {
  const double least = of.ridge.size() > 0 ? of.ridge.minCoeff() : 0.0;
  if (!free() && least > 0) {
    const double off = p.at.lost * p.metric.factor->size.norm() * root_W();
    p.plain = std::min(p.plain, (p.at.gradient.norm() + off) / least * rounding::raised);
  }
  const double target = precise * largest_score_, reach = std::max(metric_.reach, p.metric.in_norm);
  p.near =
      p.base * reach <= target || p.plain * size_of_rows(of) <= target ||
      (p.at.g <= 2 * p.at.lost && std::isfinite(p.refitted ? std::min(p.base, p.plain) : p.base));
  return p;
}

void AlteredOptima::bend_row(Metric& m, Index j, double bend, Tick& tick) const {
  const double more = bend - m.bend[j], own = m.norms[j];
  const double rounded = m.factor->inflation - 1 + rounding::slack;
  const double left = 1 + std::min(0.0, more) * own * own;
  if (more == 0 || !(left > 1e-3)) return;
  const Vec white = m.factor->whitened(bordered(j)), u = m.changed(white);
  const double grown = 1 + more * white.dot(u) / W(), weight = more / grown;
  if (!(grown > 1e-3)) return;
  const Vec inverse = m.unwhitened(u) / W();
  const Index d = rows_.dim();
  RowVec products = rows_.multiply(inverse.head(d), tick);
  if (free()) products += inverse[d];
  m.grow /= std::sqrt(left);
  // of squares of norms by the factor, which what is changed can be m.grow^2 of
  const double lost = 32 * rounded * m.grow * m.grow * m.grow * m.grow;
  const double loose = rounding::of(2 * (static_cast<double>(d) + 4)) *
                       ((largest_ + rows_.shift.norm()) * inverse.head(d).norm() +
                        (free() ? std::abs(inverse[d]) : 0.0));
  m.changes.emplace_back(u, weight / W());
  m.slack += lost * std::abs(more) * metric_.norms[j] * metric_.norms[j];
  m.loss += lost * (1 + std::abs(more) * metric_.norms[j] * metric_.norms[j]);
  m.bend[j] = bend;
  const auto squared = [&](double before, double product, double by_factor) {
    const double t =
        weight > 0 ? std::max(0.0, std::abs(product) - loose) : std::abs(product) + loose;
    return std::max(0.0, before - weight * t * t) + m.loss * by_factor;
  };
  m.reach = 0;
  for (Index i = 0; i < m.norms.size(); ++i) {
    const double by_fit = metric_.norms[i] * metric_.norms[i];
    m.norms[i] = std::sqrt(squared(m.norms[i] * m.norms[i], products[i], by_fit));
    m.leverage[i] = m.bend[i] * m.norms[i] * m.norms[i];
    if (problem_.omega(i) > 0) m.reach = std::max(m.reach, m.norms[i]);
  }
  for (Index k = 0; k < d; ++k) {
    const double by_fit = metric_.ridge[k] / kappa();
    m.ridge[k] = kappa() * squared(m.ridge[k] / kappa(), inverse[k], by_fit);
  }
}

bool AlteredOptima::bend_most(Metric& m, const Altered& of, const RowVec& z, Tick& tick) const {
  std::vector<std::pair<double, Index>> most;
  const auto bend = [&](Index j) {
    return problem_.omega(j) * problem_.phi.second(z[j], problem_.y(j));
  };
  for (Index j = 0; j < problem_.n(); ++j) {
    if (std::find(of.out.begin(), of.out.end(), j) != of.out.end()) continue;
    const double change = std::abs(bend(j) - m.bend[j]) * m.norms[j] * m.norms[j];
    if (change > 1e-3) most.emplace_back(-change, j);
  }
  std::sort(most.begin(), most.end());
  if (most.size() > 8) most.resize(8);
  for (const auto& change : most) bend_row(m, change.second, bend(change.second), tick);
  return !most.empty();
}

Metric AlteredOptima::metric(const Altered& of, const RowVec& bend, double in_bend,
                             Tick& tick) const {
  Mat arrived;
  if (in_bend > 0) arrived = in_bend / W() * of.in->x * of.in->x.transpose();
  region::Factor found =
      region::factored_hessian(rows_, RowVec(bend / W()), of.ridge / W(), free(), tick, arrived);
  if (!found.usable()) return {};
  RowVec norms = region::inverse_norms(found, rows_, tick) / root_W();
  Metric m = metric(of, bend, std::move(found), std::move(norms));
  m.in_bend = in_bend;
  if (of.in != nullptr) m.in_norm = m.factor->norm(of.in->x) / root_W();
  return m;
}

Metric AlteredOptima::metric(const Altered& of, const RowVec& bend, region::Factor factor,
                             RowVec norms) const {
  Metric m;
  m.factor = std::make_shared<const region::Factor>(std::move(factor));
  m.bend = bend;
  m.norms = std::move(norms);
  m.leverage = RowVec(problem_.n());
  for (Index j = 0; j < problem_.n(); ++j) {
    m.leverage[j] = bend[j] * m.norms[j] * m.norms[j];
    if (problem_.omega(j) > 0) m.reach = std::max(m.reach, m.norms[j]);
  }
  const Vec inverse = m.factor->inverse.head(rows_.dim()) * (m.factor->inflation / root_W());
  m.ridge = of.ridge.cwiseProduct(inverse.cwiseAbs2());
  return m;
}

AlteredOptima::Derivatives AlteredOptima::look(const Altered& of, const Metric& m, const Vec& w,
                                               double b, Tick& tick) const {
  const Index n = problem_.n(), d = rows_.dim();
  Derivatives at{rows_.multiply(w, tick) + b, Vec(d + free()), 0, 0, 0, 0};
  RowVec pull(n);
  double square = 0;
  for (Index j = 0; j < n; ++j) {
    const double omega = problem_.omega(j);
    const double slope = omega == 0 ? 0.0 : problem_.phi.left(at.z[j], problem_.y(j));
    pull[j] = omega * slope;
    square += pull[j] * slope;
  }
  for (const Index j : of.out) pull[j] = 0;
  at.gradient.head(d) = rows_.transpose_multiply(pull, tick) + of.ridge.cwiseProduct(w);
  if (free()) at.gradient[d] = rows_.sum([&](Index j) { return pull[j]; });
  const double size = std::sqrt(square / W()), bend = std::max(1.0, 1 / problem_.phi.gamma());
  Vec terms(d + free());
  terms.head(d) = size * problem_.sizes(tick).stored + of.ridge.cwiseProduct(w.cwiseAbs()) / W();
  if (free()) terms[d] = size;
  double weight = W(), reach = m.reach;
  if (of.in != nullptr) {
    at.arrived = score(of.in->x, w, b);
    const double arrives = of.in->omega * problem_.phi.left(at.arrived, of.in->y);
    at.gradient += arrives * of.in->x;
    terms += std::abs(arrives) / W() * of.in->x.cwiseAbs();
    weight += of.in->omega;
    reach = std::max(reach, m.in_norm);
  }
  at.wobble = rounding::of(2 * (static_cast<double>(d) + 3)) *
              ((size_of_rows(of) + rows_.shift.norm()) * w.norm() + std::abs(b));
  at.lost = (problem_.cross_rounding() * m.factor->inverse.dot(terms)) * root_W() * m.grow +
            reach * weight * bend * at.wobble;
  at.g = m.norm(at.gradient / W()) * root_W() + at.lost;
  return at;
}

double AlteredOptima::shared_radius(const Altered& of, const Metric& m,
                                    const Derivatives& at) const {
  if (!m.of_fit || of.in != nullptr || problem_.phi.curving() == Curving::sudden) return HUGE_VAL;
  const bool constant = problem_.phi.curving() == Curving::constant;
  const auto leaves = [&](Index j) {
    return std::find(of.out.begin(), of.out.end(), j) != of.out.end();
  };
  double out = 0;
  for (const Index j : of.out) out += m.leverage[j];
  double reach = 1.05;
  for (int round = 0; round < 6; ++round) {
    double moved = 0, changed = 0;
    for (Index j = 0; j < problem_.n() && !constant; ++j) {
      if (!(m.leverage[j] > 0)) continue;
      const double own = std::abs(at.z[j] - z_[j]) + reach / 2 * at.g * m.norms[j];
      if (m.bend[j] != bend_[j]) {
        changed += m.leverage[j] * lost_share(at, m, j, reach);
      } else if (own > moved && !leaves(j)) {
        moved = own;
      }
    }
    const double left = std::min(std::exp(-moved - 2 * at.wobble), of.ridge.minCoeff() / kappa());
    const double kept =
        (left * (1 - out) - changed) * std::max(0.0, 1 - m.slack) * rounding::lowered;
    if (kept * reach >= 1) return at.g / kept * rounding::raised;
    if (!(kept > 0.02)) break;
    reach = 1.02 / kept;
  }
  return HUGE_VAL;
}

double AlteredOptima::lost_share(const Derivatives& at, const Metric& m, Index j,
                                 double reach) const {
  const double s = reach * at.g * m.norms[j] + at.wobble, z = at.z[j], y = problem_.y(j);
  return 1 - std::min(1.0, problem_.omega(j) * problem_.phi.least_curvature(z - s, z + s, y) /
                               m.bend[j]);
}

double AlteredOptima::radius(const Altered& of, const Metric& m, const Derivatives& at) const {
  for (const double reach : {1.05, 1.3, 2.0, 5.0}) {
    LostShares lost;
    for (Index j = 0; j < problem_.n(); ++j) {
      if (m.leverage[j] > 0) lost.add(lost_share(at, m, j, reach), m.leverage[j]);
    }
    for (const Index j : of.out) {
      if (m.leverage[j] > 0) lost.add(1, m.leverage[j], lost_share(at, m, j, reach));
    }
    if (m.in_bend > 0) {
      const double s = reach * at.g * m.in_norm + at.wobble;
      const double least = problem_.phi.least_curvature(at.arrived - s, at.arrived + s, of.in->y);
      lost.add(1 - std::min(1.0, of.in->omega * least / m.in_bend),
               m.in_bend * m.in_norm * m.in_norm);
    }
    for (Index k = 0; k < rows_.dim(); ++k) {
      // a metric of the problem itself has its ridge
      if (m.of_fit) lost.add(1 - of.ridge[k] / kappa(), m.ridge[k]);
    }
    // two negative factors are no proof of a ball
    const double kept = (1 - lost.least() * rounding::raised) * std::max(0.0, 1 - m.slack);
    if (kept * reach >= 1) return at.g / kept * rounding::raised;
  }
  return HUGE_VAL;
}

}  // namespace dualmargin::decide
