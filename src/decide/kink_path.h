// The optimum of a piecewise linear loss with a ridge while rows leave: their masses shrink from
// those of the fit to 0, (1 - theta) m_S, and the penalty goes from kappa to that without them.
// With masses m = omega a, g = kappa z and beta = kappa b the rows E at kinks s stay there, all
// others keep their slope, and the optimum is linear in theta,
//
//   K_EE dm_E - dbeta 1 = -K_ES dm_S - s dkappa,   1'dm_E = -1'dm_S   (a free intercept),
//
// until an a_j reaches an end of the slopes of its kink and leaves E, or a score a kink and joins
// (G. Cauwenberghs, T. Poggio 2000, Incremental and decremental support vector machine learning,
// NIPS 13). Where nothing of that happens it is one exact step. Nothing is claimed of what it
// returns: its pair is.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "base/function_ref.h"
#include "decide/dual_steps.h"

namespace dualmargin::decide {

template <class Fit, class Space>
class KinkPath {
 public:
  // of `again`, tighter and tighter
  static constexpr int refits = 3;

  // again(): a refit of all rows, for a fit that is too loose to tell which rows are at kinks
  KinkPath(const Fit& fit, const Space& space, FunctionRef<DualPoint()> again, Tick& tick)
      : fit_(fit), space_(space), steps_(fit, space), base_(steps_.solve(all(fit), tick)) {
    if (!base_.settled) {
      base_ = again();
      DualPoint nearer = refined(all(fit), base_, tick);
      if (nearer.settled) base_ = std::move(nearer);
    }
    g_ = (space.scores(mass(base_.a), fit.kappa(), tick) + base_.b) * fit.kappa();
    const Loss& loss = fit.problem.phi;
    for (Index i = 0; i < fit.n(); ++i) {
      kinks_.emplace_back(loss, fit.problem.y(i));
      places_.push_back(kinks_.back().place(base_.a[i]));
    }
  }

  DualPoint solve(const Leaving& leaving, Tick& tick) const {
    Walk at{base_.a, g_, fit_.kappa(), base_.b * fit_.kappa(), 0, places_};
    RowVec gone = RowVec::Zero(fit_.n());
    double sum = 0;
    for (const Index i : leaving.out) {
      gone[i] = -fit_.problem.omega(i) * base_.a[i];
      sum += gone[i];
      at.places[i] = {Place::out, 0};
    }
    const RowVec pull = space_.scores(gone, 1, tick);  // -K dm_S
    for (int step = 0; step < most_steps && at.theta < 1; ++step) {
      tick.look();
      if (!advance(at, pull, sum, leaving.kappa - fit_.kappa(), tick)) break;
    }
    for (const Index i : leaving.out) at.a[i] = 0;
    return {std::move(at.a), at.beta / leaving.kappa, false};
  }
  // The same without what rounding left of it.
  DualPoint refined(const Leaving& leaving, DualPoint at, Tick& tick) const {
    RowVec z = space_.scores(mass(at.a), leaving.kappa, tick) + at.b;
    return steps_.solve(leaving, std::move(at), std::move(z), tick);
  }

 private:
  static constexpr int most_steps = 300;
  static constexpr Index most_rows = 1000;

  // inside: at a kink, of this number; piece: so many kinks are below it; out: it leaves, or has no
  // weight
  struct Place {
    enum Kind { inside, piece, out } kind;
    int number;
  };
  struct Kinks {
    int count = 0;
    std::array<double, 2> at{};
    std::array<double, 3> slope{};  // of the pieces

    Kinks(const Loss& loss, double y) {
      std::array<Kink, 2> all = loss.kinks(y);
      if (all[0].at > all[1].at) std::swap(all[0], all[1]);
      slope[0] = loss.slope(-1e300, y);
      for (const Kink& kink : all) {
        if (!(kink.rise > 0)) continue;
        at[count] = kink.at;
        slope[count + 1] = slope[count] + kink.rise;
        ++count;
      }
    }
    Place place(double a) const {
      for (int k = 0; k < count; ++k) {
        constexpr double share = 1e-9;  // a slope as near to an end is at it
        const double near = share * (slope[k + 1] - slope[k]);
        if (a <= slope[k] + near) return {Place::piece, k};
        if (a < slope[k + 1] - near) return {Place::inside, k};
      }
      return {Place::piece, count};
    }
  };
  struct Walk {
    RowVec a, g;
    double kappa, beta, theta;
    std::vector<Place> places;
  };

  static Leaving all(const Fit& fit) { return {{}, fit.kappa(), {}}; }
  RowVec mass(const RowVec& a) const { return fit_.problem.rows.weights * a; }

  // To the next kink, or to the end; false where there is no way on.
  bool advance(Walk& at, const RowVec& pull, double sum, double dkappa, Tick& tick) const {
    const Index n = fit_.n();
    const bool free = fit_.problem.free();
    std::vector<Index> inside;
    for (Index i = 0; i < n; ++i) {
      if (at.places[i].kind == Place::inside && fit_.problem.omega(i) > 0) inside.push_back(i);
    }
    const auto m = static_cast<Index>(inside.size());
    if (m > most_rows || (free && m == 0)) return false;
    const auto kink = [&](Index i) { return kinks_[i].at[at.places[i].number]; };
    Vec dm(m);
    for (Index k = 0; k < m; ++k) dm[k] = pull[inside[k]] - kink(inside[k]) * dkappa;
    double dbeta = 0;
    if (m > 0 && !steps_.at_kinks(inside, free ? -sum : NAN, dm, dbeta, tick)) return false;
    RowVec change = RowVec::Zero(n);
    for (Index k = 0; k < m; ++k) change[inside[k]] = dm[k];
    const RowVec dg = pull + space_.scores(change, 1, tick) + dbeta;
    double most = 1 - at.theta;
    Index first = -1;
    Place then{Place::out, 0};
    const auto reach = [&](double room, double speed, Index i, Place place) {
      if (!(speed > 0) || !(std::max(room, 0.0) < most * speed)) return;
      most = std::max(room, 0.0) / speed;
      first = i;
      then = place;
    };
    for (Index i = 0; i < n; ++i) {
      const Place& place = at.places[i];
      const double omega = fit_.problem.omega(i);
      if (place.kind == Place::out || !(omega > 0)) continue;
      const Kinks& of = kinks_[i];
      const int k = place.number;
      if (place.kind == Place::inside) {
        const double da = change[i] / omega;
        reach(of.slope[k + 1] - at.a[i], da, i, {Place::piece, k + 1});
        reach(at.a[i] - of.slope[k], -da, i, {Place::piece, k});
        continue;
      }
      const auto beyond = [&](int number, double side) {
        const double s = of.at[number];
        reach(side * (at.kappa * s - at.g[i]), side * (dg[i] - s * dkappa), i,
              {Place::inside, number});
      };
      if (k < of.count) beyond(k, 1);
      if (k > 0) beyond(k - 1, -1);
    }
    at.theta = first < 0 ? 1 : at.theta + most;
    at.kappa += most * dkappa;
    at.beta += most * dbeta;
    at.g += most * dg;
    for (Index k = 0; k < m; ++k) {
      at.a[inside[k]] += most * dm[k] / fit_.problem.omega(inside[k]);
    }
    if (first >= 0) {
      if (then.kind == Place::piece) at.a[first] = kinks_[first].slope[then.number];
      at.places[first] = then;
    }
    return true;
  }

  const Fit& fit_;
  const Space& space_;
  DualSteps<Fit, Space> steps_;
  DualPoint base_;  // the fit, at its kinks
  RowVec g_;
  std::vector<Kinks> kinks_;
  std::vector<Place> places_;
};

}  // namespace dualmargin::decide
