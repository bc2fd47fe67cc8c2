// The optimum with a new row and a response added to those of a fit: how many counted rows are at
// least as strange as it there, and the residuals of a regression.
//
// The first point is w + c M^-1 x with c = -omega phi'(x'w + c x'M^-1 x), one equation in c, whose
// curvature enters the norm; after it steps with that Hessian, then Newton steps.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "decide/conformal_altered.h"

namespace dualmargin::decide {

// at least `least`, at most `most`; steps: with the Hessian of the fit
struct FullCount {
  Index least = 0, most = 0;
  int steps = 0;
  bool refitted = false;
};

// Residuals y - f(x) of the counted rows and of the new one, with what they can be off by.
struct FullResiduals {
  Vec residual, half;
  double own = 0, own_half = HUGE_VAL;
  int steps = 0;
  bool refitted = false;
};

struct FullEffort {
  int steps = 12;
  bool refits = true;
};

class FullOptima {
 public:
  using Point = typename AlteredOptima::Point;

  FullOptima(const AlteredOptima& optima, Rule rule, FullEffort effort, Tick& tick)
      : optima_(optima), rule_(rule), effort_(effort), squares_(optima.rows().squares(tick)) {}

  // counted: is row i? shrink: the ridge of the columns in units of that of the fit, or nothing.
  template <class IsCounted>
  FullCount count(const Arrival& in, double y, double omega, const Vec& shrink, IsCounted counted,
                  Tick& tick) const {
    FullCount found;
    const auto& problem = optima_.problem();
    for (Index i = 0; i < problem.n(); ++i) found.most += counted(i);
    const auto use = [&](const Point& p) {
      Index least = 0, most = 0;
      for (Index i = 0; i < problem.n(); ++i) {
        if (!counted(i)) continue;
        const double off = problem.y(i) * p.at.z[i] - y * p.at.arrived;
        const double half = apart(in, p, i, problem.y(i) * y) + 2 * p.at.wobble;
        least += off + half <= 0;
        most += !(off - half > 0);
      }
      found.least = std::max(found.least, least);
      found.most = std::min(found.most, most);
      found.steps = p.steps;
      found.refitted = p.refitted;
      return p.near || found.least >= found.most;
    };
    solve(in, y, omega, shrink, use, tick);
    return found;
  }

  FullResiduals residuals(const Arrival& in, double y, double omega, const Vec& shrink,
                          Tick& tick) const {
    const auto& problem = optima_.problem();
    FullResiduals found{
        Vec::Zero(problem.n()), Vec::Constant(problem.n(), HUGE_VAL), 0, HUGE_VAL, 0, false};
    const auto use = [&](const Point& p) {
      const double own = within(p, p.metric.in_norm, in.x.norm()) + p.at.wobble;
      if (own < found.own_half) {
        found.own = y - p.at.arrived;
        found.own_half = own;
        for (Index i = 0; i < problem.n(); ++i) {
          found.residual[i] = problem.y(i) - p.at.z[i];
          found.half[i] = within(p, p.metric.norms[i], length(i)) + p.at.wobble;
        }
        found.steps = p.steps;
        found.refitted = p.refitted;
      }
      return p.near;
    };
    solve(in, y, omega, shrink, use, tick);
    return found;
  }

 private:
  double length(Index i) const { return std::sqrt(squares_[i] + optima_.free()); }
  static double within(const Point& p, double norm, double length) {
    const double by_metric = std::isfinite(p.radius) ? p.radius * norm : HUGE_VAL;
    return std::min(by_metric, std::isfinite(p.plain) ? p.plain * length : HUGE_VAL);
  }
  // How far y_i f(x_i) - y f(x) can be off, sign = y_i y.
  double apart(const Arrival& in, const Point& p, Index i, double sign) const {
    const Metric& m = p.metric;
    double norm = m.norms[i] + m.in_norm;
    if (m.along.size() > 0) {
      const Metric& fit = optima_.metric();
      const double own = fit.norms[i] * fit.norms[i], t = sign * in.products[i];
      const double lost =
          16 * (in.lost * (own + in.norm * in.norm) + in.loose * (fit.norms[i] + in.norm));
      const double turned = (t - in.h) * (t - in.h) * m.in_bend / (1 + m.in_bend * in.h);
      norm = std::min(norm, std::sqrt(std::max(0.0, own + in.h - 2 * t - turned) + lost));
    }
    return within(p, norm, length(i) + in.x.norm());
  }

  template <class Use>
  void solve(const Arrival& in, double y, double omega, const Vec& shrink, Use use,
             Tick& tick) const {
    const Added added{in.x, y, omega};
    const double more = rule_ == Rule::cost ? 1.0 : 1 + omega / optima_.W();
    Altered of{{}, &added, Vec::Constant(optima_.rows().dim(), optima_.kappa() * more)};
    if (shrink.size() > 0) of.ridge.head(shrink.size()).array() *= shrink.array();
    Vec w = optima_.w();
    double b = optima_.b();
    // to the optimum of the fit, with the new penalty
    Vec off = optima_.gradient();
    off.head(w.size()) += (of.ridge.array() - optima_.kappa()).matrix().cwiseProduct(w);
    optima_.move(w, b, optima_.solve(optima_.metric(), off));
    const double z = optima_.score(in.x, w, b), c = pull(z, in.h, y, omega);
    optima_.move(w, b, in.inverse, -c);
    const double bend = omega * optima_.problem().phi.curvature(z + c * in.h, y);
    const Metric m = with_arrival(optima_.metric(), in, bend, optima_.W());
    Vec last = w;
    double last_b = b;
    bool done = false;
    int steps = 1;
    const auto keep = [&](const Point& p) {
      last = p.w;
      last_b = p.b;
      steps = p.steps;
      done = use(p);
      return done;
    };
    optima_.walk(of, m, w, b, effort_.steps, keep, tick);
    if (!done && effort_.refits) {
      if (!last.allFinite() || !std::isfinite(last_b)) {
        last = optima_.w();
        last_b = optima_.b();
      }
      const Vec from = last;
      optima_.newton(of, from, last_b, steps, keep, tick);
    }
  }

  // c + omega phi'(z + c h) = 0, which rises in c
  double pull(double z, double h, double y, double omega) const {
    const auto& phi = optima_.problem().phi;
    const double end = -omega * phi.left(z, y);
    double low = std::min(0.0, end), high = std::max(0.0, end);
    for (int round = 0; round < 64 && low < high; ++round) {
      const double c = low + (high - low) / 2;
      if (c <= low || c >= high) break;
      (c + omega * phi.left(z + c * h, y) > 0 ? high : low) = c;
    }
    return low + (high - low) / 2;
  }

  const AlteredOptima& optima_;
  const Rule rule_;
  const FullEffort effort_;
  const RowVec& squares_;
};

}  // namespace dualmargin::decide
