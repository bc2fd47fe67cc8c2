#include "decide/conformal_altered.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "algebra/cholesky.h"

namespace dualmargin::decide {

namespace {

// Of a step from w with these derivatives: where the slope of the objective along it is 0. It rises,
// so its root is bracketed; a whole step that leaves a thousandth of it is Newton's.
double best_share(const region::Problem& problem, const Rows& rows, const Altered& of,
                  const AlteredOptima::Derivatives& at, const Vec& w, const Vec& by, Tick& tick) {
  const Index d = rows.dim();
  RowVec moved = rows.multiply(by.head(d), tick);
  if (problem.free()) moved += by[d];
  RowVec omega(problem.n());
  for (Index j = 0; j < problem.n(); ++j) omega[j] = problem.omega(j);
  for (const Index j : of.out) omega[j] = 0;
  const double arrives = of.in == nullptr ? 0.0 : of.in->x.dot(by);
  const auto fall = [&](double share) {
    double sum = rows.sum([&](Index j) {
      if (!(omega[j] > 0)) return 0.0;
      return omega[j] * moved[j] * problem.phi.left(at.z[j] - share * moved[j], problem.y(j));
    });
    if (of.in != nullptr) {
      sum += of.in->omega * arrives * problem.phi.left(at.arrived - share * arrives, of.in->y);
    }
    return sum + of.ridge.cwiseProduct(w - share * by.head(d)).dot(by.head(d));
  };
  const double first = fall(0);
  double low = 0, high = 1, last = fall(high);
  if (!(first > 0) || std::abs(last) <= 1e-3 * first) return 1;
  for (int doubled = 0; last > 0 && doubled < 40; ++doubled) {
    low = high;
    high *= 2;
    last = fall(high);
  }
  for (int round = 0; round < 40; ++round) {
    const double middle = low + (high - low) / 2;
    (fall(middle) > 0 ? low : high) = middle;
  }
  return high;
}

}  // namespace

AlteredOptima::AlteredOptima(const Problem& problem, Vec w, double b, Tick& tick)
    : problem_(problem), rows_(problem.rows), w_(std::move(w)), b_(b), bend_(problem.n()) {
  const RowVec z = rows_.multiply(w_, tick) + b_;
  for (Index i = 0; i < problem_.n(); ++i) {
    bend_[i] = problem_.omega(i) * problem_.phi.second(z[i], problem_.y(i));
    largest_score_ = std::max(largest_score_, std::abs(z[i]));
  }
  metric_ = metric(unaltered(), bend_, 0, tick);
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

void AlteredOptima::move(Vec& w, double& b, const Vec& by, double share) const {
  w -= share * by.head(w.size());
  if (free()) b -= share * by[w.size()];
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
  in.lost = 2 * (metric_.factor->inflation - 1) + 1e-12;
  in.loose = rounding::of(2 * (static_cast<double>(d) + 4)) *
             ((largest_ + rows_.shift.norm()) * in.inverse.head(d).norm() +
              (free() ? std::abs(in.inverse[d]) : 0.0));
  in.x = std::move(x);
  return in;
}

Metric AlteredOptima::metric_without(const std::vector<Index>& out, Tick& tick) const {
  Metric m = metric_;
  if (out.size() == 1 && m.leverage[out[0]] > 0.1) bend_row(m, out[0], 0, tick);
  return m;
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

void AlteredOptima::walk(const Altered& of, Metric m, Vec w, double b, int most,
                         FunctionRef<bool(const Point&)> use, Tick& tick) const {
  double last = HUGE_VAL;
  for (int steps = 1; w.allFinite() && std::isfinite(b); ++steps) {
    const Derivatives at = look(of, m, w, b, tick);
    const double ball = radius(of, m, at);
    const double base = ball * m.grow * (1 + m.slack);
    if (use(point({w, b, at, m, ball, base, HUGE_VAL, steps, false, false}, of))) return;
    if (at.g <= 2 * at.lost || at.g > 0.5 * last || steps >= most) return;
    last = at.g;
    const bool far = !(base * metric_.reach <= 1e-3 * largest_score_);
    if (of.in == nullptr && steps == 1 && far && bend_most(m, of, at.z, tick)) last = HUGE_VAL;
    move(w, b, step(of, m, at.gradient, tick));
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
    if (use(point({w, b, at, own, found, found * std::sqrt(grown) * (1 + 1e-12), plain, steps, true,
                   false},
                  of))) {
      return;
    }
    if (at.g <= 2 * at.lost) return;
    const Vec by = solve(own, at.gradient);
    move(w, b, by, best_share(problem_, rows_, of, at, w, by, tick));
  }
}

AlteredOptima::Point AlteredOptima::point(Point p, const Altered& of) const {
  const double least = of.ridge.size() > 0 ? of.ridge.minCoeff() : 0.0;
  if (!free() && least > 0) {
    const double off = p.at.lost * p.metric.factor->size.norm() * root_W();
    p.plain = std::min(p.plain, (p.at.gradient.norm() + off) / least * (1 + 1e-12));
  }
  const double target = 1e-10 * largest_score_, reach = std::max(metric_.reach, p.metric.in_norm);
  p.near =
      p.base * reach <= target || p.plain * size_of_rows(of) <= target ||
      (p.at.g <= 2 * p.at.lost && std::isfinite(p.refitted ? std::min(p.base, p.plain) : p.base));
  return p;
}

double AlteredOptima::size_of_rows(const Altered& of) const {
  return of.in == nullptr ? largest_ : std::max(largest_, of.in->x.norm());
}

void AlteredOptima::bend_row(Metric& m, Index j, double bend, Tick& tick) const {
  const double more = bend - m.bend[j], own = m.norms[j], rounded = m.factor->inflation - 1 + 1e-12;
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
  Metric m;
  Mat arrived;
  if (in_bend > 0) arrived = in_bend / W() * of.in->x * of.in->x.transpose();
  region::Factor found =
      region::factored_hessian(rows_, RowVec(bend / W()), of.ridge / W(), free(), tick, arrived);
  if (!found.usable()) return m;
  m.factor = std::make_shared<const region::Factor>(std::move(found));
  m.bend = bend;
  m.norms = region::inverse_norms(*m.factor, rows_, tick) / root_W();
  m.in_bend = in_bend;
  if (of.in != nullptr) m.in_norm = m.factor->norm(of.in->x) / root_W();
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
  for (Index j = 0; j < n; ++j) {
    const double omega = problem_.omega(j);
    pull[j] = omega == 0 ? 0.0 : omega * problem_.phi.left(at.z[j], problem_.y(j));
  }
  for (const Index j : of.out) pull[j] = 0;
  double square = 0;
  for (Index j = 0; j < n; ++j) {
    if (problem_.omega(j) > 0) square += pull[j] * pull[j] / problem_.omega(j);
  }
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

double AlteredOptima::radius(const Altered& of, const Metric& m, const Derivatives& at) const {
  for (const double reach : {1.05, 1.3, 2.0, 5.0}) {
    LostShares lost;
    // what of the curvature of a row is left within a norm
    const auto left = [&](double z, double y, double omega, double norm, double bend) {
      const double s = reach * at.g * norm + at.wobble;
      return std::min(1.0, omega * problem_.phi.least_curvature(z - s, z + s, y) / bend);
    };
    const auto loses = [&](Index j) {
      return 1 - left(at.z[j], problem_.y(j), problem_.omega(j), m.norms[j], m.bend[j]);
    };
    for (Index j = 0; j < problem_.n(); ++j) {
      if (m.leverage[j] > 0) lost.add(loses(j), m.leverage[j]);
    }
    for (const Index j : of.out) {
      if (m.leverage[j] > 0) lost.add(1, m.leverage[j], loses(j));
    }
    if (m.in_bend > 0) {
      lost.add(1 - left(at.arrived, of.in->y, of.in->omega, m.in_norm, m.in_bend),
               m.in_bend * m.in_norm * m.in_norm);
    }
    for (Index k = 0; k < rows_.dim(); ++k) {
      // a metric of the problem itself has its ridge
      if (m.of_fit) lost.add(1 - of.ridge[k] / kappa(), m.ridge[k]);
    }
    // two negative factors are no proof of a ball
    const double kept = (1 - lost.least() * (1 + 1e-12)) * std::max(0.0, 1 - m.slack);
    if (kept * reach >= 1) return at.g / kept * (1 + 1e-12);
  }
  return HUGE_VAL;
}

}  // namespace dualmargin::decide
