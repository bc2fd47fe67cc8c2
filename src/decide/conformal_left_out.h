// The optimum without each row of a fit of a smooth loss with a ridge, and how far it can be.
//
// M is the Hessian at the fit, of the sum of losses and kappa/2 |w|^2: sum_j A_j + penalty, A_j =
// omega_j phi''_j x_j x_j', lev_j the trace of M^-1 A_j. At a point v with the gradient G of the
// problem without row i, g = |G| in M^-1, let the share tau_j of A_j be lost somewhere within rho of
// v in the norm of M (all of it for row i). Then the Hessian of that problem is there at least
// theta M,
//
//   theta = 1 - min_q [q + sum_j lev_j (tau_j - q)_+],
//
// and if g <= theta rho its gradient points outwards on the sphere, so that the optimum is within
// it, and within g/theta of v. The ridge counts by coordinates where it is smaller without the row:
// its penalty by other scales, or by rule "lambda".
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "decide/refit.h"
#include "region/region.h"

namespace dualmargin::decide {

// radius: in the norm of M; plain: of (w, b), as the moved rows are. own: the score of the row.
struct LeftOutOptimum {
  Vec w;
  double b = 0, own = 0, own_half = HUGE_VAL, radius = HUGE_VAL, plain = HUGE_VAL;
  int steps = 0;
  bool near = false, refitted = false;  // near: as near as is asked, or as rounding allows
};

template <class Data>
class LeftOutOptima {
 public:
  using Problem = region::Problem<Data>;

  // shrink: the ridge of the problem without each row (a column), in units of that of all rows
  LeftOutOptima(const Problem& problem, Vec w, double b, Rule rule, const Mat& shrink, Tick& tick)
      : problem_(problem),
        rows_(problem.rows),
        w_(std::move(w)),
        b_(b),
        rule_(rule),
        shrink_(shrink),
        bend_(problem.n()) {
    const RowVec z = rows_.times(w_, tick) + b_;
    double far = 1;
    for (Index i = 0; i < problem_.n(); ++i) {
      bend_[i] = problem_.omega(i) * problem_.phi.curvature(z[i], problem_.y(i));
      far = std::max(far, std::abs(z[i]));
    }
    metric_ = metric(bend_, Vec::Constant(rows_.dim(), kappa()), tick);
    const RowVec& squares = rows_.squares(tick);
    largest_ = std::sqrt(rows_.rows.max([&](Index i) { return squares[i]; }));
    target_ = 1e-10 * far / std::max(metric_.reach, 1e-300);
  }

  bool usable() const { return metric_.factor.usable(); }
  // Norms of rows to come: v -> |v| in M^-1, from above.
  Mat whitening() const {
    const Index q = rows_.dim() + free();
    return metric_.factor.whitened(Mat::Identity(q, q)) * (metric_.factor.inflation / root_W());
  }

  // Of these rows. steps: with the Hessian of the fit, at most; refits: how many may be solved by
  // Hessians of their own, those that are known least.
  std::vector<LeftOutOptimum> solve(const std::vector<Index>& out, int steps, double refits,
                                    Tick& tick) const {
    std::vector<LeftOutOptimum> found(out.size());
    if (!usable()) return found;
    const auto each = [&](const std::vector<std::size_t>& of, auto one) {
      rows_.rows.team.for_chunks(
          static_cast<Index>(of.size()),
          [&](Index k, Tick& t) { one(of[static_cast<std::size_t>(k)], t); }, tick);
    };
    std::vector<std::size_t> all(out.size()), open;
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
    each(all, [&](std::size_t k, Tick& t) { found[k] = by_steps(out[k], steps, t); });
    for (const std::size_t k : all) {
      if (!found[k].near) open.push_back(k);
    }
    std::stable_sort(open.begin(), open.end(), [&](std::size_t a, std::size_t b) {
      return found[a].own_half > found[b].own_half;
    });
    if (refits < static_cast<double>(open.size())) open.resize(static_cast<std::size_t>(refits));
    each(open, [&](std::size_t k, Tick& t) { refit(out[k], found[k], t); });
    return found;
  }

 private:
  // A Hessian in whose norm is measured; curvature and leverage of the rows by it.
  struct Metric {
    region::Factor factor;
    RowVec bend, norms, leverage;
    Vec ridge;  // leverage of the coordinates
    double reach = 0;
  };
  // The gradient at a point, in the norm of a metric, with its rounding; z: scores.
  struct Look {
    RowVec z;
    Vec gradient;
    double g, lost, wobble;
  };
  // A problem without a row.
  struct Without {
    Index out;
    Vec ridge;  // its penalty
  };

  bool free() const { return problem_.free(); }
  double W() const { return problem_.total_weight(); }
  double root_W() const { return std::sqrt(W()); }
  double kappa() const { return problem_.g.l2 * W(); }
  // Is it so near that it need not be nearer, or rounding allows no more?
  bool near(const LeftOutOptimum& found, const Look& at) const {
    return found.radius <= target_ || found.plain * largest_ <= target_ * metric_.reach ||
           (at.g <= 2 * at.lost && std::isfinite(std::min(found.radius, found.plain)));
  }

  Without without(Index i) const {
    const double left = rule_ == Rule::cost ? 1.0 : 1 - problem_.omega(i) / W();
    Vec ridge = Vec::Constant(rows_.dim(), kappa() * left);
    if (shrink_.size() > 0) ridge.head(shrink_.rows()).array() *= shrink_.col(i).array();
    return {i, std::move(ridge)};
  }

  Metric metric(const RowVec& bend, const Vec& ridge, Tick& tick) const {
    Metric m;
    const Index d = rows_.dim();
    Mat hessian = rows_.gram(RowVec(bend / W()), free(), tick);
    hessian.diagonal().head(d) += ridge / W();
    double cancelled = 0;
    if (rows_.shifted) {
      const double total = rows_.rows.sum([&](Index i) { return bend[i]; }) / W();
      for (Index j = 0; j < d; ++j) {
        cancelled = std::max(cancelled, total * rows_.shift[j] * rows_.shift[j] / hessian(j, j));
      }
    }
    m.factor = region::factor_of(hessian, rounding::of(std::sqrt(rows_.rows.count())), cancelled);
    if (!m.factor.usable()) return m;
    m.bend = bend;
    m.norms = region::inverse_norms(m.factor, rows_, free(), tick) / root_W();
    m.leverage = RowVec(problem_.n());
    for (Index j = 0; j < problem_.n(); ++j) {
      m.leverage[j] = bend[j] * m.norms[j] * m.norms[j];
      if (problem_.omega(j) > 0) m.reach = std::max(m.reach, m.norms[j]);
    }
    const Vec inverse = m.factor.inverse.head(d) * (m.factor.inflation / root_W());
    m.ridge = ridge.cwiseProduct(inverse.cwiseAbs2());
    return m;
  }

  Look look(const Without& of, const Metric& m, const Vec& w, double b, Tick& tick) const {
    const Index n = problem_.n(), d = rows_.dim();
    Look at{rows_.times(w, tick) + b, Vec(d + free()), 0, 0, 0};
    RowVec pull(n);
    double square = 0;
    for (Index j = 0; j < n; ++j) {
      const double omega = problem_.omega(j);
      pull[j] = j == of.out || omega == 0 ? 0.0 : omega * problem_.phi.left(at.z[j], problem_.y(j));
      if (omega > 0) square += pull[j] * pull[j] / omega;
    }
    at.gradient.head(d) = rows_.cross(pull, tick) + of.ridge.cwiseProduct(w);
    if (free()) at.gradient[d] = rows_.rows.sum([&](Index j) { return pull[j]; });
    const double size = std::sqrt(square / W()), bend = std::max(1.0, 1 / problem_.phi.gamma());
    Vec terms(d + free());
    terms.head(d) = size * problem_.sizes(tick).stored + of.ridge.cwiseProduct(w.cwiseAbs()) / W();
    if (free()) terms[d] = size;
    at.wobble = rounding::of(2 * (static_cast<double>(d) + 3)) *
                ((largest_ + rows_.shift.norm()) * w.norm() + std::abs(b));
    at.lost = (problem_.cross_rounding() * m.factor.inverse.dot(terms)) * root_W() +
              m.reach * W() * bend * at.wobble;
    at.g = m.factor.norm(at.gradient / W()) * root_W() + at.lost;
    return at;
  }

  // g/theta, infinite where no ball is found.
  double radius(const Without& of, const Metric& m, const Look& at) const {
    constexpr std::array<double, 8> cuts{0, .01, .03, .1, .2, .35, .5, .75};
    for (const double reach : {1.05, 1.3, 2.0, 5.0}) {
      std::array<double, cuts.size()> theta{};
      const auto lose = [&](double share, double leverage) {
        for (std::size_t c = 0; c < cuts.size() && share > cuts[c]; ++c) {
          theta[c] += leverage * (share - cuts[c]);
        }
      };
      for (Index j = 0; j < problem_.n(); ++j) {
        if (!(m.leverage[j] > 0)) continue;
        const double s = reach * at.g * m.norms[j] + at.wobble;
        const double least = problem_.omega(j) *
                             problem_.phi.least_curvature(at.z[j] - s, at.z[j] + s, problem_.y(j));
        lose(j == of.out ? 1.0 : 1 - std::min(1.0, least / m.bend[j]), m.leverage[j]);
      }
      for (Index k = 0; k < rows_.dim(); ++k) {
        // a metric of the problem itself has its ridge
        if (&m == &metric_) lose(1 - of.ridge[k] / kappa(), m.ridge[k]);
      }
      double best = HUGE_VAL;
      for (std::size_t c = 0; c < cuts.size(); ++c) best = std::min(best, cuts[c] + theta[c]);
      const double left = 1 - best * (1 + 1e-12);
      if (left * reach >= 1) return at.g / left * (1 + 1e-12);
    }
    return HUGE_VAL;
  }
  // H^-1 G with the Hessian of the fit less the row.
  Vec step(const Without& of, const Vec& gradient) const {
    Vec move = metric_.factor.solve(gradient) / W();
    Vec x(rows_.dim() + free());
    x.head(rows_.dim()) = rows_.row(of.out);
    if (free()) x[rows_.dim()] = 1;
    const Vec hx = metric_.factor.solve(x) / W();
    const double bend = bend_[of.out], left = 1 - bend * x.dot(hx);
    if (left > 1e-6) move += hx * (bend / left * x.dot(move));
    return move;
  }
  void move(Vec& w, double& b, const Vec& by, double share = 1) const {
    w -= share * by.head(w.size());
    if (free()) b -= share * by[w.size()];
  }

  // Steps with the Hessian of the fit, as long as each halves the gradient.
  LeftOutOptimum by_steps(Index i, int most, Tick& tick) const {
    const Without of = without(i);
    LeftOutOptimum best;
    best.w = w_;
    best.b = b_;
    Vec w = w_;
    double b = b_, last = HUGE_VAL;
    Look at = look(of, metric_, w, b, tick);
    for (int steps = 1; steps <= most; ++steps) {
      move(w, b, step(of, at.gradient));
      if (!w.allFinite() || !std::isfinite(b)) break;
      at = look(of, metric_, w, b, tick);
      const double ball = radius(of, metric_, at);
      take({w, b, 0, HUGE_VAL, ball, HUGE_VAL, steps, false, false}, of, metric_, at, best);
      if (best.near || at.g <= 2 * at.lost || at.g > 0.5 * last) break;
      last = at.g;
    }
    return best;
  }

  // Newton steps with Hessians of their own, shortened until the gradient falls; the ball is looked
  // for in the norm of the last, M_i, and M <= c M_i.
  void refit(Index i, LeftOutOptimum& best, Tick& tick) const {
    const Without of = without(i);
    Vec w = best.w;
    double b = best.b;
    best.refitted = true;
    for (int steps = 0; steps < 40; ++steps) {
      const RowVec z = rows_.times(w, tick) + b;
      RowVec bend(problem_.n());
      for (Index j = 0; j < problem_.n(); ++j) {
        bend[j] = j == i ? 0.0 : problem_.omega(j) * problem_.phi.curvature(z[j], problem_.y(j));
      }
      const Metric own = metric(bend, of.ridge, tick);
      if (!own.factor.usable()) return;
      Look at = look(of, own, w, b, tick);
      const double found = radius(of, own, at);
      double grown = 1;
      for (Index j = 0; j < problem_.n(); ++j) {
        grown += std::max(0.0, bend_[j] - bend[j]) * own.norms[j] * own.norms[j];
      }
      for (Index k = 0; k < rows_.dim(); ++k) {
        if (of.ridge[k] > 0) grown += std::max(0.0, kappa() / of.ridge[k] - 1) * own.ridge[k];
      }
      take({w, b, 0, HUGE_VAL, found * std::sqrt(grown) * (1 + 1e-12),
            found * own.factor.inverse.norm() * own.factor.inflation / root_W(), best.steps, false,
            true},
           of, own, at, best);
      if (best.near || at.g <= 2 * at.lost) return;
      const Vec by = own.factor.solve(at.gradient) / W();
      double share = 1;
      Vec next = w;
      double next_b = b;
      for (int halved = 0; halved < 12; ++halved, share /= 2) {
        next = w;
        next_b = b;
        move(next, next_b, by, share);
        if (look(of, own, next, next_b, tick).g < at.g) break;
      }
      w = std::move(next);
      b = next_b;
    }
  }

  // By strong convexity too, where the intercept has some; kept if the row's own score is known
  // better. m: the metric of the look.
  void take(LeftOutOptimum found, const Without& of, const Metric& m, const Look& at,
            LeftOutOptimum& best) const {
    const double least = of.ridge.size() > 0 ? of.ridge.minCoeff() : 0.0;
    if (!free() && least > 0) {
      const double off = at.lost * m.factor.size.norm() * root_W();
      found.plain = std::min(found.plain, (at.gradient.norm() + off) / least * (1 + 1e-12));
    }
    const double x = std::sqrt(squares(of.out) + free());
    found.own = at.z[of.out];
    found.own_half = std::min(found.radius * metric_.norms[of.out], found.plain * x) + at.wobble;
    found.near = near(found, at);
    if (found.own_half < best.own_half) best = std::move(found);
  }
  double squares(Index i) const { return rows_.row(i).squaredNorm() * (1 + 1e-12); }

  const Problem& problem_;
  const region::MovedRows<Data>& rows_;
  const Vec w_;
  const double b_;
  const Rule rule_;
  const Mat& shrink_;
  RowVec bend_;  // times omega
  Metric metric_;
  double largest_ = 0, target_ = 0;
};

}  // namespace dualmargin::decide
