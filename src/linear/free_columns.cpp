#include "linear/free_columns.h"

#include <utility>

#include "algebra/cholesky.h"
#include "algebra/line_search.h"
#include "algebra/normal_matrix.h"

namespace dualmargin::linear {

struct FreeColumns::Systems {
  const FreeColumns& of;
  Tick tick;
  WeightedGram gram;
  Vec most;  // what the diagonal has at the largest curvature
  double damping = 0;

  Systems(const FreeColumns& of_, Tick& asked)
      : of(of_), tick([&asked] { asked.ask(); }, Tick::Clock::now(), HUGE_VAL), gram(of.rows_) {
    gram.restrict_to(of.set_);
    const Vec& norm = of.rows_.column_norms(tick);
    most.resize(gram.size() + of.losses_.free_intercept);
    for (Index k = 0; k < gram.size(); ++k) most[k] = norm[of.set_[k]] * norm[of.set_[k]];
    if (of.losses_.free_intercept) most[gram.size()] = 1;
    most /= of.losses_.gamma();
  }

  Mat matrix(const RowVec& curvature) {
    gram.rebuild(of.rows_.weights * curvature / of.rows_.total_weight, tick);
    Mat A = gram.bordered(of.losses_.free_intercept, 0);
    return A.selfadjointView<Eigen::Lower>();
  }
  // w is empty where there is none.
  Primal step(const RowVec& curvature, const Sums& sums) {
    const Index k = gram.size();
    Vec right(most.size());
    for (Index j = 0; j < k; ++j) right[j] = -sums.u[of.set_[j]];
    if (of.losses_.free_intercept) right[k] = -sums.mean;
    const auto raise = [&](Mat& A, double share) { A.diagonal() += share * most; };
    Cholesky factor;
    const Shares shares{damping, 1e-14, 1e-10, 1e-6, 1e-2};  // a step that is too short is one
    const bool made = factor.factor(matrix(curvature), shares, raise, tick);
    if (!made) return {};
    const Vec d = factor.solve(right);
    if (!d.allFinite()) return {};
    Primal step{Vec::Zero(of.rows_.dim()), of.losses_.free_intercept ? d[k] : 0.0};
    for (Index j = 0; j < k; ++j) step.w[of.set_[j]] = d[j];
    return step;
  }
  // Levenberg's: on flat pieces of a loss the model aims too wide.
  void damp(double t) {
    constexpr double first = 1e-6, last = 1e-12;
    if (t < 0.3) {
      damping = std::max(10 * damping, first);
    } else if (t > 0.6) {
      damping = damping > last ? 0.1 * damping : 0;
    }
  }
};
FreeColumns::Best FreeColumns::best(RowVec z, Tick& tick, double enough) const {
  Systems systems(*this, tick);
  const RowVec zero = RowVec::Zero(rows_.n());
  Best s;
  s.w = Vec::Zero(rows_.dim());
  Slopes at, there;
  losses_.dual_steps(z, 0, zero, 0, at);
  for (int steps = 0; steps < most_steps; ++steps) {
    const Sums sums = sums_of(at.slope, systems.tick);
    const double before = s.off;
    s.off = sums.off;
    if (s.off <= 1 || (s.off <= near && s.off > 0.5 * before)) {
      s.move = 0;
      break;
    }
    const Primal d = systems.step(at.curvature, sums);
    if (d.w.size() == 0) break;
    const RowVec move = rows_.multiply(d.w, systems.tick) + d.b;
    s.move = rows_.max([&](Index i) { return weighs(i) ? std::abs(move[i]) : 0.0; });
    if (s.off <= enough) break;
    const auto slope = [&](const Slopes& point) {
      const auto [fall, bend] = rows_.sum([&](Index i) {
        const double m = weighs(i) ? rows_.share(i) * move[i] : 0.0;
        return std::array<double, 2>{m * point.slope[i], m * move[i] * point.curvature[i]};
      });
      return LineSlope{fall, fall, bend};
    };
    const double t = exact_step(slope(at).right, [&](double trial) {
      losses_.dual_steps(RowVec(z + trial * move), 0, zero, 0, there);
      return slope(there);
    });
    if (!(t > 0)) break;
    systems.damp(t);
    s.w += t * d.w;
    s.b += t * d.b;
    z += t * move;
    losses_.dual_steps(z, 0, zero, 0, at);
  }
  s.a = std::move(at.slope);
  return s;
}

RowVec FreeColumns::balanced(RowVec a, Tick& tick) const {
  Systems systems(*this, tick);
  double off = sums_of(a, systems.tick).off;
  if (off <= 1) return a;
  if (!losses_.loss.dual_shift()) {
    Best near_by = best(losses_.scores_of(a), tick);
    for (Index i = 0; i < a.size(); ++i) {
      if (weighs(i)) a[i] = near_by.a[i];
    }
    off = sums_of(a, systems.tick).off;
  }
  for (int step = 0; step < 3 && !(off <= 1); ++step) {
    const RowVec h = losses_.curvatures_of(a);
    const Primal d = systems.step(h, sums_of(a, systems.tick));
    if (d.w.size() == 0) break;
    const RowVec moved = a + h * (rows_.multiply(d.w, systems.tick) + d.b);
    const double there = sums_of(moved, systems.tick).off;
    if (!(there < off) || !std::isfinite(losses_.conjugate(moved, 1)[0])) break;
    a = moved;
    off = there;
  }
  return off <= enough_roundings ? a : RowVec::Zero(a.size());
}

std::vector<Index> FreeColumns::dependent(Tick& tick) const {
  Systems systems(*this, tick);
  Mat A = systems.matrix(RowVec::Ones(rows_.n()));
  const Index k = static_cast<Index>(set_.size());
  const Vec whole = A.diagonal();
  const auto eliminate = [&](Index pivot) {
    const Vec column = A.col(pivot);
    A -= column * (column.transpose() / column[pivot]);
  };
  if (losses_.free_intercept) eliminate(k);
  std::vector<Index> found;
  for (Index j = 0; j < k; ++j) {
    if (A(j, j) > least_share * whole[j]) {
      eliminate(j);
    } else {
      found.push_back(set_[j]);
    }
  }
  return found;
}

FreeColumns::Sums FreeColumns::sums_of(const RowVec& a, Tick& tick) const {
  const auto [squares, sizes, mean] = losses_.mean_over([&](Index i) {
    const double t = rows_.weights[i] * a[i];
    return std::array<double, 3>{t * a[i], std::abs(t), t};
  });
  Sums s{rows_.transpose_multiply(rows_.weights * a / rows_.total_weight, tick)};
  const auto count = [&](double sum, double one) {
    const double roundings = sum == 0 ? 0.0 : std::abs(sum) / one;
    s.off = std::isnan(roundings) ? HUGE_VAL : std::max(s.off, roundings);
  };
  if (losses_.free_intercept) {
    s.mean = mean;
    count(mean, rounding::of_value() * sizes);
  }
  const Vec& norm = rows_.column_norms(tick);
  const double one = rounding::of(rows_.additions() + 8) * std::sqrt(squares);
  for (Index j : set_) count(s.u[j], one * norm[j]);
  return s;
}

}  // namespace dualmargin::linear
