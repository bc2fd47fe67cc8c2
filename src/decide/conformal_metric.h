// What is altered of a fitted problem for a conformal set, and the norm in which its optimum is
// looked for.
#pragma once

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "decide/refit.h"
#include "region/region.h"

namespace dualmargin::decide {

// A row that comes, as the moved rows are, with a 1 at the end for a free intercept.
struct Added {
  Vec x;
  double y = 0, omega = 0;
};

// Rows that leave, one that comes, and the penalty of each coordinate.
struct Altered {
  std::vector<Index> out;
  const Added* in = nullptr;
  Vec ridge;
};

// min over q, of some, of q + sum_j lev_j (tau_j - q)_+: what a Hessian can have lost of another one
// once terms j of leverage lev_j have lost shares tau_j of themselves.
class LostShares {
 public:
  // counted: so much of the share has been added before
  void add(double share, double leverage, double counted = 0) {
    for (std::size_t c = 0; c < cuts.size() && share > cuts[c]; ++c) {
      sums_[c] += leverage * (share - cuts[c] - std::max(0.0, counted - cuts[c]));
    }
  }
  double least() const {
    double best = HUGE_VAL;
    for (std::size_t c = 0; c < cuts.size(); ++c) best = std::min(best, cuts[c] + sums_[c]);
    return best;
  }

 private:
  static constexpr std::array<double, 8> cuts{0, .01, .03, .1, .2, .35, .5, .75};
  std::array<double, 8> sums_{};
};

// A Hessian in whose norm is measured; curvature and leverage of the rows by it. Hessians are
// divided by the weight W of the rows of the fit.
struct Metric {
  std::shared_ptr<const region::Factor> factor;
  RowVec bend, norms, leverage;
  Vec ridge;            // leverage of the coordinates
  double reach = 0;     // the largest norm
  bool of_fit = false;  // its ridge is that of the fit
  // Where rows have another curvature than in the factor, its inverse is R^-1 (I - sum of share u u')
  // R^-T. Rounding leaves it at least 1 - slack of what it should be, squares of norms off by `loss` of
  // those by the factor, and what is 1 in it is at most `grow` by the factor.
  std::vector<std::pair<Vec, double>> changes;
  double slack = 0, loss = 0, grow = 1;
  // The row that comes has this curvature in it, and this norm. Where it was put into a factor that
  // has none of it: along = R^-T x, and (I + s along along')^(-1/2) = I - turn along along'.
  double in_bend = 0, in_norm = 0, turn = 0, share = 0;
  Vec along;

  double norm(const Vec& v) const {
    Vec white = factor->whitened(v);
    if (changes.empty()) {
      if (along.size() > 0) white -= turn * along.dot(white) * along;
      return white.norm() * factor->inflation;
    }
    double square = (1 + loss) * white.squaredNorm();
    for (const auto& [u, s] : changes) square -= s * u.dot(white) * u.dot(white);
    return std::sqrt(std::max(0.0, square)) * factor->inflation;
  }
  // (R^-1 of what is whitened, with the changes)
  Vec changed(Vec white) const {
    const Vec before = white;
    for (const auto& [u, s] : changes) white -= s * u.dot(before) * u;
    return white;
  }
  Vec unwhitened(Vec white) const {
    factor->root.triangularView<Eigen::Upper>().solveInPlace(white);
    return white.cwiseQuotient(factor->size);
  }
  Vec solve(const Vec& v) const {
    if (!changes.empty()) return unwhitened(changed(factor->whitened(v)));
    if (along.size() == 0) return factor->solve(v);
    Vec white = factor->whitened(v);
    white -= share * along.dot(white) * along;
    return unwhitened(std::move(white));
  }
};

// A row that comes, in the metric of the fit: M^-1 x, the products x_i'M^-1 x with how far rounding
// can have them off relative to the norms, and h = x'M^-1 x.
struct Arrival {
  Vec x, white, inverse;
  RowVec products;
  double h = 0, norm = 0, lost = 0, loose = 0;  // loose: absolutely

  // What the products are at least, without their sign.
  double product(Index i, double own) const {
    return std::max(0.0, std::abs(products[i]) - lost * own * norm - loose);
  }
};

// The metric with the row in it, of curvature `bend`.
inline Metric with_arrival(const Metric& of_fit, const Arrival& in, double bend, double W) {
  Metric m = of_fit;
  m.in_bend = bend;
  m.in_norm = in.norm;
  if (!(bend > 0)) return m;
  const double grown = 1 + bend * in.h, square = in.white.squaredNorm();
  m.in_norm = in.norm / std::sqrt(grown) * (1 + 2 * in.lost);
  m.along = in.white;
  m.turn = square > 0 ? (1 - 1 / std::sqrt(grown)) / square : 0.0;
  m.share = bend / W / grown;
  const double taken = bend / (1 + bend * in.norm * in.norm);
  for (Index j = 0; j < m.norms.size(); ++j) {
    const double t = in.product(j, of_fit.norms[j]), own = of_fit.norms[j] * of_fit.norms[j];
    const double left = std::max(0.0, own * (1 + 1e-12) - taken * t * t);
    m.norms[j] = std::sqrt(left);
    m.leverage[j] = m.bend[j] * left;
  }
  return m;
}

// Of a step from w with these derivatives: where the slope of the objective along it is 0. It rises,
// so its root is bracketed; a whole step that leaves a thousandth of it is Newton's.
template <class Problem, class MovedRows, class Derivatives>
double best_share(const Problem& problem, const MovedRows& rows, const Altered& of,
                  const Derivatives& at, const Vec& w, const Vec& by, Tick& tick) {
  const Index d = rows.dim();
  RowVec moved = rows.multiply(by.head(d), tick);
  if (problem.free()) moved += by[d];
  RowVec omega(problem.n());
  for (Index j = 0; j < problem.n(); ++j) omega[j] = problem.omega(j);
  for (const Index j : of.out) omega[j] = 0;
  const double arrives = of.in == nullptr ? 0.0 : of.in->x.dot(by);
  const auto fall = [&](double share) {
    double sum = rows.rows.sum([&](Index j) {
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

}  // namespace dualmargin::decide
