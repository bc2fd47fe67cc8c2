#include "decide/conformal_full.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace dualmargin::decide {

FullCount FullOptima::count(const Arrival& in, double y, double omega, const Vec& shrink,
                            FunctionRef<bool(Index)> counted, Tick& tick) const {
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

FullResiduals FullOptima::residuals(const Arrival& in, double y, double omega, const Vec& shrink,
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

double FullOptima::within(const Point& p, double norm, double length) {
  const double by_metric = std::isfinite(p.radius) ? p.radius * norm : HUGE_VAL;
  return std::min(by_metric, std::isfinite(p.plain) ? p.plain * length : HUGE_VAL);
}

double FullOptima::apart(const Arrival& in, const Point& p, Index i, double sign) const {
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

void FullOptima::solve(const Arrival& in, double y, double omega, const Vec& shrink,
                       FunctionRef<bool(const Point&)> use, Tick& tick) const {
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
  const double bend = omega * optima_.problem().phi.second(z + c * in.h, y);
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

double FullOptima::pull(double z, double h, double y, double omega) const {
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

}  // namespace dualmargin::decide
