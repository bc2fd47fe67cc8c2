// The rows of one problem of the linear family, scaled once, and what certificates at any penalty
// ask of them and of a solved point. Not a Workspace: here fits are made, by the loss and the
// problem of the solver, and of each a few numbers outlive its penalty; no region is asked of, so
// that rows are not moved and the loss has no calculus.
#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "decide/along_gap.h"
#include "decide/slope_shape.h"
#include "linear/problem.h"

namespace dualmargin::decide {

// A primal point with its scores z, each off by at most wander(norm of the row), and a dual point
// with u = (1/W) sum omega a x. gradient: of P, in the columns and the free intercept.
struct AlongPoint : PairNumbers {
  double b = 0;
  RowVec z, a;
  Vec e;         // lambda w + u, of a ridge
  Vec gradient;  // where it was asked for
  double wander_slope = 0, wander_level = 0;

  double wander(double norm) const { return wander_slope * norm + wander_level; }
  // What is known of it away from its lambda, and nothing of the length of the data.
  PairNumbers numbers(const PenaltyShare& penalty) const {
    PairNumbers light = *this;
    if (penalty.ridge()) {
      light.w.resize(0);
      light.u.resize(0);
    }
    return light;
  }
};

enum class Wanted { primal, pair };

class AlongRows {
 public:
  const Rows rows;
  const AnyLoss loss;
  const SlopeShape shape;
  const PenaltyShare penalty;
  const bool free;

  // All rows have weight.
  AlongRows(const Rows& rows_, const AnyLoss& loss_, const SlopeShape& shape_, double mixture,
            bool free_)
      : rows(rows_),
        loss(loss_),
        shape(shape_),
        penalty(mixture),
        free(free_),
        sums_(RowVec::of(rows.n(), [&](Index i) {
          double sum = 0;
          rows.for_each(i, [&](Index, double v) { sum += std::abs(v); });
          return sum;
        })) {}

  Index n() const { return rows.n(); }
  Index dim() const { return rows.dim(); }
  double norm(Index i) const { return rows.lengths()[i]; }
  double largest_norm() const {
    return std::max(0.0, rows.max([&](Index i) { return norm(i); }));
  }
  // sum_j |x_ij|
  double size(Index i) const { return sums_[i]; }
  template <class Term>  // sum_i omega_i/W term(i)
  double mean(Term term) const {
    return rows.sum([&](Index i) { return rows.share(i) * term(i); });
  }
  linear::LinearProblem problem(double lambda) const {
    return {rows, loss, ElasticNet::from(lambda, penalty.mixture()), free};
  }
  double score_rounding() const { return 2 * rounding::of_score(rows.longest_row()); }

  // s: as a solver of the linear family returned it at lambda, its dual point feasible.
  AlongPoint point(const linear::Solution& s, double lambda, Wanted wanted, Tick& tick) const {
    AlongPoint p;
    p.lambda = lambda;
    p.dim = static_cast<double>(dim());
    p.w = s.w;
    p.b = free ? s.b : 0.0;
    p.a = s.a;
    p.z = rows.multiply(s.w, tick) + p.b;
    p.w1 = s.w.lpNorm<1>();
    p.ww = s.w.squaredNorm();
    p.wander_slope = score_rounding() * std::sqrt(p.ww);
    p.wander_level = rounding::of(4) * std::abs(p.b);
    if (wanted == Wanted::primal) return p;
    p.u = rows.transpose_multiply(rows.weights * p.a / rows.total_weight, tick);
    p.e = lambda * (1 - penalty.mixture()) * p.w + p.u;
    p.we = p.w.dot(p.e);
    p.ee = p.e.squaredNorm();
    p.du = rounding::of(rows.additions() + 8) *
           mean([&](Index i) { return std::abs(p.a[i]) * norm(i); });
    p.loss = mean([&](Index i) { return loss.value(p.z[i], y(i)); });
    p.misfit = misfit(p, p.a);
    if (!penalty.ridge()) {
      for (std::size_t k = 0; k < dual_shares.size(); ++k) {
        p.misfits[k] = misfit(p, p.a, dual_shares[k]);
      }
    }
    return p;
  }

  // (1/W) sum omega [phi(z) + phi*(theta a) - theta a z] from above: with the rounding of the
  // terms, of the scores, by which a term moves at most dz times the largest distance of a slope
  // near z from theta a, and of the balance of a, which counts times a score where the intercept is
  // free.
  double misfit(const AlongPoint& p, const RowVec& a, double theta = 1) const {
    const auto [sum, drift, sizes, scores] = rows.sum([&](Index i) {
      const double share = rows.share(i), z = p.z[i], t = theta * a[i], dz = p.wander(norm(i));
      const double value = loss.value(z, y(i)), conjugate = loss.conjugate(t, y(i));
      const double size = std::abs(value) + std::abs(conjugate) + std::abs(t * z);
      const double low = loss.slope(z - 2 * dz, y(i)), high = loss.slope(z + 2 * dz, y(i));
      const double off = std::max(std::abs(low - t), std::abs(high - t));
      const double term =
          std::max(0.0, value + conjugate - t * z) + rounding::of_term() * size + dz * off;
      return std::array<double, 4>{share * term, share * t, share * std::abs(t),
                                   share * std::abs(z)};
    });
    if (!free) return sum;
    return sum + (std::abs(drift) + rounding::of_value() * sizes) * scores;
  }

  double slope(const AlongPoint& p, Index i) const { return loss.slope(p.z[i], y(i)); }
  // phi''; of the logistic loss not p (1 - p), which is 0 for a row that is far on the wrong side.
  double curvature(double z, Index i) const {
    if (shape.kind() == SlopeShape::Kind::logistic) {
      const double e = std::exp(-std::abs(z));
      return e / ((1 + e) * (1 + e));
    }
    return loss.curvature(z, y(i), 0, 0, loss.slope(z, y(i)));
  }
  double y(Index i) const { return rows.y[i]; }

  // The gradient of P, of a ridge.
  Vec gradient_of(const AlongPoint& p, Tick& tick) const {
    const RowVec slopes = RowVec::of(n(), [&](Index i) { return rows.share(i) * slope(p, i); });
    Vec g(dim() + free);
    g.head(dim()) = rows.transpose_multiply(slopes, tick) + p.lambda * p.w;
    if (free) g[dim()] = rows.sum([&](Index i) { return slopes[i]; });
    return g;
  }

 private:
  const RowVec sums_;
};

}  // namespace dualmargin::decide
