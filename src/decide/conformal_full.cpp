#include "decide/conformal_full.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace dualmargin::decide {

FullOptima::FullOptima(const AlteredOptima& optima, Rule rule, FullEffort effort, Tick& tick)
    : optima_(optima), rule_(rule), effort_(effort), squares_(optima.rows().squares(tick)) {
  const auto& problem = optima.problem();
  const RowVec z = optima.rows().multiply(optima.w(), tick) + optima.b();
  spread_ = std::sqrt(
      problem.mean([&](Index i) { return (problem.y(i) - z[i]) * (problem.y(i) - z[i]); }));
}

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

FullPieces FullOptima::pieces(Vec x, double omega, const Vec& shrink,
                              FunctionRef<bool(Index)> counted, const std::vector<Index>& ks,
                              Tick& tick) const {
  FullPieces found{std::vector<Segments>(ks.size(), {{-HUGE_VAL, HUGE_VAL}}), 0, false};
  if (std::count(ks.begin(), ks.end(), 0) == static_cast<std::ptrdiff_t>(ks.size())) return found;
  const Arrival in = optima_.arrival(std::move(x), tick);
  const double middle = optima_.score(in.x, optima_.w(), optima_.b());
  const double unit = spread_ > 0 ? 2 * spread_ : std::max(1.0, std::abs(middle));
  const FullResiduals low = residuals(in, middle - unit, omega, shrink, tick),
                      high = residuals(in, middle + unit, omega, shrink, tick);
  found.refitted = low.refitted || high.refitted;
  const auto line = [](double from, double to) { return Line{(from + to) / 2, (to - from) / 2}; };
  const Line other = line(low.own, high.own);
  SegmentEnds outer, inner;
  for (Index i = 0; i < optima_.problem().n(); ++i) {
    if (!counted(i)) continue;
    const Line own = line(low.residual[i], high.residual[i]);
    const double off = std::max(low.half[i], high.half[i]) + std::max(low.own_half, high.own_half);
    if (!std::isfinite(off) || !std::isfinite(own.size(1) + other.size(1))) {
      outer.add({{-HUGE_VAL, HUGE_VAL}});
      continue;
    }
    outer.add(where_larger(own, other, off));
    inner.add(where_larger(own, other, -off));
  }
  outer.sort();
  inner.sort();
  for (std::size_t l = 0; l < ks.size(); ++l) {
    if (ks[l] < 1) continue;
    Segments pieces = outer.at_least(ks[l]);
    const Segments sure = inner.at_least(ks[l]);
    if (!pieces.empty() && sure.empty()) found.off = HUGE_VAL;
    if (!pieces.empty() && !sure.empty()) {
      const auto more = [](double a, double b) { return a == b ? 0.0 : std::abs(a - b); };
      found.off = std::max({found.off, unit * more(sure.front().low, pieces.front().low),
                            unit * more(pieces.back().high, sure.back().high)});
    }
    for (auto& [from, to] : pieces) {
      const double size = 4 * rounding::unit;
      from = middle + unit * from;
      to = middle + unit * to;
      from -= std::isfinite(from) ? size * (std::abs(from) + unit) : 0.0;
      to += std::isfinite(to) ? size * (std::abs(to) + unit) : 0.0;
    }
    found.of_level[l] = std::move(pieces);
  }
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
  if (!effort_.refits) return;
  if (!done && last.allFinite() && std::isfinite(last_b)) {
    optima_.newton(of, Vec(last), last_b, steps, keep, tick);
  }
  // no Hessian is positive definite where a row far from the others, with little of a ridge, is on a slope
  // with curvature: at the fit it need not be
  if (!done) optima_.newton(of, optima_.w(), optima_.b(), steps, keep, tick);
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
