// The optimum without some rows by steps in the dual variables, for a ridge. With masses m = omega
// a it is f = -(1/kappa) sum_j m_j k(x_j, .); the rows E have a slope that bends, all others keep
// it. From scores z, with slopes and curvatures there, the change d of m_E after which each a_j is
// what its slope becomes is that of
//
//   [(1/kappa) K_EE + diag 1/(omega phi'')] d - db 1 = (phi' - a_E)/phi'',
//   1'd = -sum m   (a free intercept; else db = 0).
//
// A kink at the score s_j bends at once: the diagonal is 0 and the right side z_j - s_j. There E is
// where a_j + (z_j - s_j)/q_j, q_j = omega_j |x_j|^2/kappa, stays inside of the slopes of the kink;
// the others take the slope that it reaches. This is Newton's method for the optimality conditions
// (M. Hintermueller, K. Ito, K. Kunisch 2003, The primal-dual active set strategy as a semismooth
// Newton method, SIAM Journal on Optimization 13, 865-888). Nothing is claimed of what it returns:
// its pair is.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "algebra/cholesky.h"
#include "decide/leaving.h"
#include "decide/space.h"
#include "loss/row_losses.h"

namespace dualmargin::decide {

// The point that the masses of a make, and b.
struct DualPoint {
  RowVec a;
  double b = 0;
  bool settled = false;  // did E stay?
};

template <class Fit, class Space>
class DualSteps {
 public:
  DualSteps(const Fit& fit, const Space& space) : fit_(fit), space_(space) {
    for (Index i = 0; i < fit.n(); ++i) largest_ = std::max(largest_, space.square(i));
  }

  // The change of the masses of rows at kinks, from the right side.
  bool at_kinks(const std::vector<Index>& rows, double sum, Vec& d, double& up, Tick& tick) const {
    return solved(rows, Vec::Zero(d.size()), sum, d, up, tick);
  }
  // Is a step cheap enough?
  bool usable() const {
    return fit_.problem.phi.gamma() == 0 || fit_.n() <= static_cast<Index>(most_rows);
  }
  // The last point, whether it stays there or not.
  DualPoint solve(const Leaving& leaving, Tick& tick) const {
    DualPoint at{fit_.pair.a, fit_.pair.b};
    for (const Index i : leaving.out) at.a[i] = 0;
    return solve(leaving, std::move(at), fit_.pair.z, tick);
  }
  // From a point, with scores near its own.
  DualPoint solve(const Leaving& leaving, DualPoint at, RowVec z, Tick& tick) const {
    const auto& over = fit_.problem.rows;
    const RowVec omega = leaving.weights(over.weights);
    const RowLosses losses(fit_.problem.losses.held, over.y, omega, fit_.problem.free(), over.team);
    const auto scores = [&] { return space_.scores(RowVec(omega * at.a), leaving.kappa, tick); };
    RowVec now = scores() + at.b;
    std::vector<Index> before;
    for (int round = 0; round < most_rounds; ++round) {
      tick.look();
      Bending bending;
      if (look(losses, z, leaving.kappa, at, bending)) now = scores() + at.b;
      if (bending.rows.size() > most_rows) break;
      const double moved = step(losses, bending, now, leaving.kappa, at, tick);
      if (!std::isfinite(moved)) break;
      z = scores();
      if (losses.free_intercept && bending.rows.empty()) at.b = losses.best_intercept(z, at.b);
      z += at.b;
      now = z;
      at.settled = bending.rows == before && moved <= short_step;
      if (at.settled) break;
      before = std::move(bending.rows);
    }
    return at;
  }

 private:
  static constexpr int most_rounds = 25;
  static constexpr std::size_t most_rows = 1000;
  static constexpr double short_step = 1e-9, same_slope = 1e-12, lift = 1e-12;

  // E with its diagonal, and the right side but for the scores.
  struct Bending {
    std::vector<Index> rows;
    std::vector<double> soft, aim;
  };

  // At scores z. Are there rows that take another slope?
  bool look(const RowLosses& losses, const RowVec& z, double kappa, DualPoint& at,
            Bending& bending) const {
    const Loss& phi = fit_.problem.phi;
    bool moved = false;
    const auto keep = [&](Index i, double slope) {
      moved = moved || std::abs(slope - at.a[i]) > same_slope;
      at.a[i] = slope;
    };
    const auto bend = [&](Index i, double soft, double aim) {
      bending.rows.push_back(i);
      bending.soft.push_back(soft);
      bending.aim.push_back(aim);
    };
    for (Index i = 0; i < fit_.n(); ++i) {
      const double omega = losses.omega[i], y = losses.y[i];
      if (!(omega > 0)) continue;
      if (losses.smooth()) {
        const double slope = phi.left(z[i], y), rise = phi.second(z[i], y);
        rise > 1e-100 ? bend(i, 1 / (omega * rise), z[i] - (slope - at.a[i]) / rise)
                      : keep(i, slope);
        continue;
      }
      const double a = losses.loss.dual_step(z[i], y, at.a[i], omega * space_.square(i) / kappa);
      const std::optional<Kink> kink = kink_of(losses.loss, a, y);
      kink ? bend(i, 0, kink->at) : keep(i, a);
    }
    return moved;
  }

  // The kink inside of whose slopes a is.
  static std::optional<Kink> kink_of(const Loss& loss, double a, double y) {
    std::array<Kink, 2> kinks = loss.kinks(y);
    if (kinks[0].at > kinks[1].at) std::swap(kinks[0], kinks[1]);
    double low = loss.slope(-1e300, y);
    for (const Kink& kink : kinks) {
      if (a > low && a < low + kink.rise) return kink;
      low += kink.rise;
    }
    return {};
  }

  // The largest change of an a; infinite where there is no step. z: scores of `at`.
  double step(const RowLosses& losses, const Bending& bending, const RowVec& z, double kappa,
              DualPoint& at, Tick& tick) const {
    const auto m = static_cast<Index>(bending.rows.size());
    if (m == 0) return 0;
    Vec d(m), soft(m);
    for (Index k = 0; k < m; ++k) {
      d[k] = kappa * (z[bending.rows[k]] - bending.aim[k]);
      soft[k] = kappa * bending.soft[k];
    }
    double sum = NAN, up = 0;
    if (losses.free_intercept) {
      sum = -losses.total_weight *
            losses.mean_over([&](Index i) { return losses.omega[i] * at.a[i]; });
    }
    if (!solved(bending.rows, soft, sum, d, up, tick)) return HUGE_VAL;
    at.b += up / kappa;
    double most = 0;
    for (Index k = 0; k < m; ++k) {
      const double change = d[k] / losses.omega[bending.rows[k]];
      at.a[bending.rows[k]] += change;
      most = std::max(most, std::abs(change));
    }
    return most;
  }
  // d, of [K_EE + diag soft] d - up 1 = d, 1'd = sum, or with up = 0 where the sum is no number.
  bool solved(const std::vector<Index>& rows, const Vec& soft, double sum, Vec& d, double& up,
              Tick& tick) const {
    Mat K = space_.inner(rows);
    // rows at kinks may be copies of one another
    K.diagonal() += soft + Vec::Constant(d.size(), lift * largest_);
    Cholesky factor;
    if (!factor.factor(std::move(K), tick)) return false;
    d = factor.solve(d);
    if (!std::isnan(sum)) {
      const Vec one = factor.solve(Vec::Ones(d.size()));
      up = (sum - d.sum()) / one.sum();
      d += up * one;
    }
    return d.allFinite();
  }

  const Fit& fit_;
  const Space& space_;
  double largest_ = 0;
};

}  // namespace dualmargin::decide
