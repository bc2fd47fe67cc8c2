// Bounds on how far the score of a row x to predict moves towards the other class when rows of the
// fit change, as Delta_j = (omega'_j a'_j - omega_j a_j) x_j: of each row alone, and of any k rows
// together. s: the sign of the score; kappa = mu W stays.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "decide/flip_sums.h"
#include "decide/removal_bounds.h"

namespace dualmargin::decide {

// What happens to each row: y, omega, those after; mass: omega' a' - omega a of the dual variables,
// pull: the same of the slopes, wobble: its rounding; bend: |omega' - omega| phi''; excess: what all
// new terms add to the sum of those of the gap.
struct RowChanges {
  RowVec y, omega, mass, pull, wobble, bend;
  double excess = 0;
};

// turned: the weights that rows have with the other label, or nothing where they leave.
template <class Data>
RowChanges row_changes(const Problem<Data>& problem, const Pair& pair, const Vec& turned) {
  const Index n = problem.n();
  const region::Calculus& phi = problem.phi;
  const double steep = phi.gamma() > 0 ? 1 / phi.gamma() : 0;
  RowChanges c{RowVec(n), RowVec(n), RowVec(n), RowVec(n), RowVec(n), RowVec(n), 0};
  const bool turns = turned.size() > 0;
  for (Index i = 0; i < n; ++i) {
    const double z = pair.z[i], was = problem.omega(i), slope = phi.left(z, problem.y(i));
    c.y[i] = turns ? -problem.y(i) : problem.y(i);
    c.omega[i] = turns ? turned[i] : 0.0;
    const double a = turns ? phi.left(z, c.y[i]) : 0.0;
    c.mass[i] = c.omega[i] * a - was * pair.a[i];
    c.pull[i] = c.omega[i] * a - was * slope;
    c.wobble[i] =
        (c.omega[i] + was) * steep * pair.z_rounding[i] + rounding::of(8) * std::abs(c.pull[i]);
    c.bend[i] = std::abs(c.omega[i] - was) * phi.curvature(z, problem.y(i));
  }
  if (turns) {
    c.excess = problem.rows.rows.sum([&](Index i) {
      const double z = pair.z[i], y = c.y[i];
      return c.omega[i] * region::excess_above(phi, z, phi.left(z, y), y, pair.z_rounding[i]);
    });
  }
  return c;
}

// Of one row to predict: what no change moves it by, each row alone, and any k rows, which is asked
// for k = 1, 2, ... in turn.
struct Moves {
  double none = HUGE_VAL;
  std::vector<double> each;
  std::function<double()> next_set;
};

class FlipBound {
 public:
  virtual ~FlipBound() = default;
  virtual Moves of(const Vec& x, double side, Tick& tick) const = 0;
};

// No or a penalised intercept: the ball around w - (e + Delta)/(2 kappa) with squared radius
// F/kappa + |e + Delta|^2/(4 kappa^2), e = kappa w + U, moves a score towards the other class by at
// most (|x| |Delta| + s x'Delta)/(2 kappa) + |x| ((F/kappa)^(1/2) + |e|/kappa). Of several rows
// |Delta| is at most the sum of the largest |Delta_j|, and sigma k^(1/2).
template <class Data>
class BallFlips final : public FlipBound {
 public:
  BallFlips(const Fitted<Data>& fit, const RowChanges& changes, Tick& tick)
      : fit_(fit), changes_(changes), lost_(rounding::of(16 * (dim() + 4))) {
    const Residual r(fit, tick);
    const double kappa = fit.kappa(), n = static_cast<double>(fit.n());
    const double F = (fit.W() * fit.pair.mean_excess + changes.excess) * (1 + rounding::of(n));
    own_ = (std::sqrt(F / kappa) + (std::sqrt(r.square) + r.rounding) / kappa) * (1 + 1e-12);
    const RowVec& squares = fit.problem.rows.squares(tick);
    for (Index j = 0; j < fit.n(); ++j) {
      length_.push_back(std::abs(changes.mass[j]) * std::sqrt(squares[j]));
    }
    double sigma = HUGE_VAL;
    if (fit.pair.w.size() <= largest_spectrum) {
      sigma =
          spectral_size(fit.problem.rows.gram(RowVec(changes.mass * changes.mass), false, tick), 0);
    }
    together_ = spread_sums(length_, sigma);
  }

  Moves of(const Vec& x, double side, Tick& tick) const override {
    const double far = x.norm() * (1 + rounding::of(dim() + 4)), half = 0.5 / fit_.kappa();
    const RowVec inner = fit_.problem.rows.times(x, tick);
    Moves moves;
    moves.none = far * own_;
    std::vector<double> along(length_.size());
    moves.each.resize(length_.size());
    for (std::size_t j = 0; j < length_.size(); ++j) {
      const auto i = static_cast<Index>(j);
      along[j] = side * changes_.mass[i] * inner[i] + lost_ * far * length_[j];
      moves.each[j] = (far * length_[j] + along[j]) * half;
    }
    LargestSums of_each(moves.each), of_along(along);
    for (double& move : moves.each) move += moves.none;
    Index k = 0;
    moves.next_set = [=, none = moves.none]() mutable {
      const double sum = of_each.next(), apart = of_along.next();
      const double length = together_[k++] * (1 + lost_);
      return std::min(sum, (far * length + apart) * half) + none;
    };
    return moves;
  }

 private:
  double dim() const { return static_cast<double>(fit_.pair.w.size()); }

  const Fitted<Data>& fit_;
  const RowChanges& changes_;
  double lost_, own_;
  std::vector<double> length_, together_;
};

// A free intercept. For any T > 0, S leaving: a + tau h off S with the sum -s T is a dual point of
// the changed problem tilted by the score of x, which so moves by at most
//   [sum omega FY(z, a + tau h) + |e + Delta - tau sum_S omega_j h_j x_j + s T x|^2/(2 kappa)]/T,
// everything around the mean c of the rows by omega h; |tau| <= (T + |sum_S mass|)/(K - K_S), and
// |Delta + s T x|^2 = |Delta|^2 + 2 T s x'Delta + T^2 |x|^2, of several rows with the sum of the
// positive s x'Delta_j.
template <class Data>
class TiltedFlips final : public FlipBound {
 public:
  static std::unique_ptr<FlipBound> of(const Fitted<Data>& fit, const RowChanges& changes,
                                       Tick& tick) {
    const RowVec h = RowVec::of(fit.n(), [&](Index i) {
      return fit.problem.omega(i) > 0 ? fit.problem.phi.tilt(fit.pair.a[i], fit.problem.y(i)) : 0.0;
    });
    const double K = fit.W() * fit.problem.mean([&](Index i) { return h[i]; });
    if (!(std::isfinite(K) && K > 0)) return nullptr;
    return std::unique_ptr<FlipBound>(new TiltedFlips(fit, changes, h, K, tick));
  }

  Moves of(const Vec& x, double side, Tick& tick) const override {
    const auto& rows = fit_.problem.rows;
    const Vec at = x - centre_;
    const double far = std::max(at.norm() * (1 + rounding::of(dim() + 6)) + lost_moving_, 1e-300);
    const RowVec inner = rows.times(at, tick);
    const double here = centre_.dot(at), reach = far + 2 * moved_;
    const double lost = rounding::of(32 * (dim() + 4));
    Moves moves;
    moves.none = move(0, 0, 0, 0, 0, far);
    std::vector<double> along(apart_.size());
    moves.each.resize(apart_.size());
    for (std::size_t j = 0; j < apart_.size(); ++j) {
      const auto i = static_cast<Index>(j);
      const double mass = std::abs(changes_.mass[i]);
      along[j] = side * changes_.mass[i] * (inner[i] - here) +
                 lost * mass * (apart_[j] + 2 * moved_) * reach;
      moves.each[j] = move(mass * apart_[j], mass, gone_[j], gone_[j] * apart_[j], along[j], far);
    }
    LargestSums of_along(along);
    Index k = 0;
    double before = 0;
    moves.next_set = [=]() mutable {
      const double apart = of_along.next();
      const double found = move(length_[k], out_[k], all_gone_[k], gone_length_[k], apart, far);
      ++k;
      before = std::max(before, found);
      return before;
    };
    return moves;
  }

 private:
  TiltedFlips(const Fitted<Data>& fit, const RowChanges& changes, const RowVec& h, double K,
              Tick& tick)
      : fit_(fit), changes_(changes), K_(K), excess_(fit, h, changes.excess) {
    const auto& rows = fit.problem.rows;
    const Residual r(fit, tick);
    own_ = std::sqrt(r.square) + r.rounding;
    centre_ = rows.cross(fit.problem.share * h, tick) * (fit.W() / K);
    const double h_rms = std::sqrt(fit.problem.mean([&](Index i) { return h[i] * h[i]; }));
    lost_sum_ =
        fit.W() * fit.problem.cross_rounding() * h_rms * fit.problem.sizes(tick).stored.norm();
    lost_moving_ = rounding::of(16) * (rows.shift.norm() + rows.before.norm());
    moved_ = (rows.shift.cwiseAbs() + 2 * rows.before.cwiseAbs() + centre_.cwiseAbs()).norm();
    const RowVec far = rows.distances(centre_, tick);
    std::vector<double> length, up, down, gone_length;
    for (Index j = 0; j < fit.n(); ++j) {
      apart_.push_back(std::sqrt(far[j]));
      gone_.push_back(fit.problem.omega(j) * h[j]);
      length.push_back(std::abs(changes.mass[j]) * apart_.back());
      up.push_back(changes.mass[j]);
      down.push_back(-changes.mass[j]);
      gone_length.push_back(gone_.back() * apart_.back());
    }
    length_ = spread_sums(length, spectrum(tick));
    out_ = largest_sums(up);
    const std::vector<double> other = largest_sums(down);
    for (std::size_t k = 0; k < out_.size(); ++k) out_[k] = std::max(out_[k], other[k]);
    all_gone_ = largest_sums(gone_);
    gone_length_ = largest_sums(gone_length);
  }
  // The largest singular value of all changes around c.
  double spectrum(Tick& tick) const {
    if (fit_.pair.w.size() > largest_spectrum) return HUGE_VAL;
    const auto& rows = fit_.problem.rows;
    const Index d = rows.dim();
    const RowVec h(changes_.mass * changes_.mass);
    const Mat around = rows.gram(h, true, tick);
    const Vec sums = around.col(d).head(d);
    const double total = around(d, d);
    const Vec sizes = rows.rows.column_squares(h, tick);
    const Mat G = around.topLeftCorner(d, d) - centre_ * sums.transpose() -
                  sums * centre_.transpose() + total * centre_ * centre_.transpose();
    const double n = static_cast<double>(fit_.n());
    const double moved = (centre_ + rows.shift).squaredNorm() + rows.before.squaredNorm();
    return spectral_size(G, rounding::of(64 * n) * (sizes.sum() + total * moved));
  }
  double dim() const { return static_cast<double>(fit_.pair.w.size()); }

  // The bound for the best of a few T, where one of them is possible.
  double move(double length, double out, double gone, double gone_length, double along,
              double x) const {
    double best = HUGE_VAL;
    const double rest = K_ - gone, kappa = fit_.kappa();
    const double reach = std::min(fit_.problem.phi.reach(), 1.0);
    if (!(rest > 1e-12 * K_ && out < reach * rest)) return best;
    const double limit = reach * rest - out, near = (own_ + length) / x;
    const double wide = std::sqrt(2 * kappa * excess_.at((out + std::min(near, limit)) / rest)) / x;
    for (double T : {near, near + wide, 0.5 * near, 2 * near, limit / 4, limit / 16}) {
      if (!(std::isfinite(T) && T > 0 && T <= limit)) T = limit;
      const double tau = std::min(1.0, (T + out) / rest * (1 + 1e-12));
      const double terms = length * length + T * T * x * x;
      const double size =
          std::sqrt(region::square_above(terms + 2 * T * along, rounding::of(8) * terms)) + own_ +
          tau * gone_length + tau * lost_sum_;
      const double bound = (excess_.at(tau) + size * size / (2 * kappa)) / T;
      if (bound < best) best = bound;
    }
    return best * (1 + 1e-10);
  }

  // sum omega FY(z, a + tau h) over tau >= 0, of both signs the larger: convex, so chords are above.
  class Excess {
   public:
    Excess(const Fitted<Data>& fit, const RowVec& h, double more) {
      const auto sum = [&](double tau) {
        return fit.W() * region::mean_above(fit.problem, [&](Index i) {
                 const double y = fit.problem.y(i);
                 const double a = fit.problem.phi.nearest(fit.pair.a[i] + tau * h[i], y);
                 return region::excess_above(fit.problem.phi, fit.pair.z[i], a, y,
                                             fit.pair.z_rounding[i]);
               });
      };
      const double lost = 1 + rounding::of(static_cast<double>(fit.n()));
      for (int k = -1; k < 24; ++k) {
        const double tau = k < 0 ? 0.0 : std::pow(10.0, -5 + 5.0 * k / 23);
        tau_.push_back(tau);
        const double found = std::max(sum(tau), sum(-tau)) * lost + more;
        sum_.push_back(sum_.empty() ? found : std::max(sum_.back(), found));
      }
    }
    double at(double tau) const {  // |tau| <= 1
      const auto next = std::upper_bound(tau_.begin(), tau_.end() - 1, tau);
      const auto k = static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - tau_.begin(), 1));
      const double share = std::min(1.0, (tau - tau_[k - 1]) / (tau_[k] - tau_[k - 1]));
      return (1 - share) * sum_[k - 1] + share * sum_[k];
    }

   private:
    std::vector<double> tau_, sum_;
  };

  const Fitted<Data>& fit_;
  const RowChanges& changes_;
  const double K_;
  const Excess excess_;
  Vec centre_;
  double own_ = 0, lost_sum_ = 0, lost_moving_ = 0, moved_ = 0;
  std::vector<double> apart_, gone_, length_, out_, all_gone_, gone_length_;
};

}  // namespace dualmargin::decide
