// The interior point method of algebra/interior_point.h for piecewise linear losses. On support
// vector machines: M. C. Ferris and T. S. Munson (2003), SIAM Journal on Optimization 13, 783-804;
// S. Fine and K. Scheinberg (2001), Journal of Machine Learning Research 2, 243-264.
//
//   min_v  sum_k c_k max(0, q_k) + t'v + l2/2 |w|^2,   q = offset + G v,   v = (w, b)
//
// A row whose loss bends by r at the score s, from above or below, has a kink with c_k =
// omega_i r / W and q_k = s - z or z - s, z = x_i'w + b + o_i, o_i an offset or 0: the plain hinge
// has one, the epsilon-insensitive loss two. Between the two its slope is e_i, of which t = (1/W)
// sum_i omega_i e_i (x_i, 1) is made: 0 but for the quantile loss. Then come the kinks of the
// penalty. An l1 part is c_k = 2 l1_j, q_k = w_j and -l1_j in t_j. A bound is a kink with q_k = w_j -
// upper_j or lower_j - w_j, of which the slope is finite and yet enough: with |a_i| <= A_i, the ends
// of the domain of phi^*,
//
//   |u_j| <= (1/W) sum_i omega_i A_i |x_ij| <= A_rms norm_j,
//
// and at an optimum on a bound its multiplier is |u_j| + l1_j at most, as l2 presses w_j inward. So
// c_k = 2 (A_rms norm_j + l1_j) has the same optima as c_k without end. A bound of 0 stands in the
// place of the kink of l1, of which t_j has the slope within the bounds.
//
// Stationarity is
//
//   l2 w + t + G'(c beta) = 0,   in b:  sum_i omega_i a_i = 0,
//
// with the multipliers beta of the kinks; a_i, e_i less or plus r beta of its kinks, is the dual
// point. Eliminating the rest leaves one system of size d + 1, (l2 + G' diag(c h) G) dv = r, h the
// curvature of the kinks. The primal point is (w, b) with w brought within the bounds.
#include "linear/interior_point.h"

#include "algebra/conjugate_gradients.h"
#include "base/rounding.h"

namespace dualmargin::linear {

InnerPoint::InnerPoint(const LinearProblem& problem, Run& run, double price)
    : problem_(problem),
      run_(run),
      price_(price),
      between_(problem.n()),
      some_(kinks_of(problem)),
      rows_(problem.rows, some_),
      gram_(rows_),
      m_(rows_.n()),
      p_(problem.dim()),
      l2_(problem.penalty.l2),
      free_(problem.losses.free_intercept),
      tilt_(tilt()),
      v_(Vec::Zero(p_ + free_)),
      kinks_(start()),
      q_(offset_) {}

bool InnerPoint::finite(const Step& step) const {
  return step.v.allFinite() && kinks_.slacks.finite(step.terms);
}

bool InnerPoint::factor() {
  kinks_.look(q_, Vec());
  t_ = Vec::NullaryExpr(q_.size(), [&](Index k) { return kinks_.curvature(k).qq; });
  run_.spend(price_);
  gram_.rebuild(Vec(t_.head(m_)), run_);
  if (!run_.in_time()) return false;
  Mat A = gram_.bordered(free_, l2_);
  for (std::size_t k = 0; k < penalty_kinks_.size(); ++k) {
    A(penalty_kinks_[k].column, penalty_kinks_[k].column) += t_[m_ + static_cast<Index>(k)];
  }
  // Columns that add up to a constant leave nothing but rounding of the last pivot. What is added
  // to the diagonal changes no step, since direction() refines with the matrix itself.
  const auto raise = [](Mat& M, double share) { M.diagonal() *= 1 + share; };
  return factor_.factor(std::move(A), beside_rounding, raise, run_);
}

InnerPoint::Step InnerPoint::direction(const Vec& aim) {
  const Vec at_rest = kinks_.at_rest(aim);
  Vec right = -gather(c_.cwiseProduct(kinks_.first(kinks_.slacks.multiplier + at_rest)));
  right -= tilt_;
  right.head(p_) -= l2_ * v_.head(p_);
  Vec dv = solve(right);
  return {dv, kinks_.slacks.step(aim, at_rest + kinks_.response(slopes(dv), Vec()))};
}

void InnerPoint::move(const Step& step, const StepLengths& length) {
  v_ += length.primal * step.v;
  kinks_.slacks.move(step.terms, length);
  q_ = offset_ + slopes(v_);
}

Certificate InnerPoint::offer(Best& best) {
  RowVec z = RowVec::Zero(problem_.n()), a = between_;
  const Vec beta = kinks_.first(kinks_.slacks.multiplier);
  const double b = free_ ? v_[p_] : 0.0;
  for (Index k = 0; k < m_; ++k) {
    const double y = rows_.y[k];
    const Index i = some_.id[k];
    z[i] = y * (offset_[k] - q_[k]) - b;
    a[i] = feasible(i, a[i] - y * rise_[k] * std::clamp(beta[k], 0.0, 1.0));
  }
  const Vec w = problem_.penalty.nearest(v_.head(p_));
  if (w != v_.head(p_)) {
    z = problem_.margins(w, run_);
    run_.spend(0.5 * price_);
  }
  const double best_b = problem_.losses.best_intercept(z, b);
  z += best_b;
  const ScoredPrimal primal{{w, best_b}, z};
  SummedDual dual = problem_.summed(std::move(a), run_);
  const Certificate here = problem_.certify(primal, dual, run_);
  best.offer_primal(primal, here.value);
  best.offer_dual(dual, here.bound);
  return best.certificate();
}

RowChoice InnerPoint::kinks_of(const LinearProblem& problem) {
  RowChoice some;
  std::vector<double> side, weight;
  for (Index i = 0; i < problem.n(); ++i) {
    const double omega = problem.rows.weights[i];
    between_[i] = 0;
    if (!(omega > 0)) continue;
    const auto add = [&](const Kink& kink, double y) {
      if (!(kink.rise > 0)) return;
      some.id.push_back(i);
      side.push_back(y);
      weight.push_back(omega * kink.rise);
      at_.push_back(kink.at);
      rise_.push_back(kink.rise);
    };
    const auto [first, second] = problem.losses.loss.kinks(problem.rows.y[i]);
    add(first, 1);
    add(second, -1);
    const double e = far_slope(i, -1) + first.rise;
    if (std::abs(e) > rounding::of(4) * (first.rise + second.rise)) between_[i] = e;
  }
  const Index count = static_cast<Index>(some.id.size());
  some.y = RowVec::of(count, [&](Index k) { return side[k]; });
  some.weights = RowVec::of(count, [&](Index k) { return weight[k]; });
  if (problem.rows.offset != nullptr) {
    some.offset = RowVec::of(count, [&](Index k) { return (*problem.rows.offset)[some.id[k]]; });
  }
  return some;
}

double InnerPoint::far_slope(Index i, double side) const {
  return problem_.losses.loss.slope(side * 1e300, problem_.rows.y[i]);
}

double InnerPoint::feasible(Index i, double t) const {
  return std::clamp(t, far_slope(i, -1), far_slope(i, 1));
}

Vec InnerPoint::tilt() {
  Vec t = Vec::Zero(p_ + free_);
  const Rows& all = problem_.rows;
  if (all.any([&](Index i) { return between_[i] != 0; })) {
    const RowVec coef = all.weights * between_ / all.total_weight;
    t.head(p_) = all.transpose_multiply(coef, run_);
    if (free_) t[p_] = all.sum([&](Index i) { return coef[i]; });
  }
  const ElasticNet& g = problem_.penalty;
  const Vec steepest_slope = g.bounded() ? steepest_slopes() : Vec();
  for (Index j = 0; j < p_; ++j) {
    const double l1 = g.l1_of(j), lower = g.lower(j), upper = g.upper(j);
    const auto add = [&](double side, double place, double rise) {
      if (std::isfinite(place)) penalty_kinks_.push_back({j, side, place, rise});
    };
    if (g.bounded()) add(-1, lower, 2 * (steepest_slope[j] + l1));
    if (g.bounded()) add(1, upper, 2 * (steepest_slope[j] + l1));
    if (l1 == 0 || (lower == 0 && upper == 0)) continue;
    t[j] += lower == 0 ? l1 : -l1;
    if (lower != 0 && upper != 0) add(1, 0, 2 * l1);
  }
  return t;
}

Vec InnerPoint::steepest_slopes() {
  const Rows& all = problem_.rows;
  const double squares = all.sum([&](Index i) {
    const double most = std::max(std::abs(far_slope(i, -1)), std::abs(far_slope(i, 1)));
    return all.share(i) * most * most;
  });
  const Vec& norm = all.column_norms(run_);
  // a column of zeros has no slope, and any will do
  return Vec::NullaryExpr(
      p_, [&](Index j) { return norm[j] > 0 ? std::sqrt(squares) * norm[j] : 1.0; });
}

KinkTerms InnerPoint::start() {
  const auto count = static_cast<Index>(penalty_kinks_.size());
  c_.resize(m_ + count);
  offset_.resize(c_.size());
  c_.head(m_) = rows_.weights.local() / problem_.rows.total_weight;
  for (Index k = 0; k < m_; ++k) {
    offset_[k] = rows_.y[k] * (at_[k] - problem_.losses.offset_of(some_.id[k]));
  }
  for (Index k = 0; k < count; ++k) {
    const PenaltyKink& kink = penalty_kinks_[static_cast<std::size_t>(k)];
    c_[m_ + k] = kink.rise;
    offset_[m_ + k] = -kink.side * kink.place;
  }
  const auto [up, tilted, size] = rows_.sum([&](Index k) {
    return std::array<double, 3>{rows_.y[k] > 0 ? rows_.weights[k] : 0.0,
                                 rows_.weights[k] * between_[some_.id[k]],
                                 rows_.weights[k] * std::abs(offset_[k])};
  });
  const double down = rows_.total_weight - up, lighter = std::min(up, down);
  // the unit of the heights
  const double unit = size > 0 ? size / rows_.total_weight : 1;
  Vec beta = Vec::Constant(c_.size(), 0.5), target = Vec::Constant(c_.size(), unit);
  target.tail(count).array() /= c_.tail(count).array() * static_cast<double>(count);
  for (Index k = 0; k < m_; ++k) {
    if (tilted != 0) {
      beta[k] = between_[some_.id[k]] / rise_[k];
    } else if (free_ && lighter > 0) {
      beta[k] *= lighter / (rows_.y[k] > 0 ? up : down);
    }
  }
  return KinkTerms(rows_, c_, target, offset_, Vec(), beta, Vec());
}

Vec InnerPoint::slopes(const Vec& v) {
  run_.spend(0.5 * price_);
  Vec q(c_.size());
  const double b = free_ ? v[p_] : 0.0;
  q.head(m_) = RowVec(-rows_.y * (rows_.multiply(v.head(p_), run_) + b)).local();
  for (std::size_t k = 0; k < penalty_kinks_.size(); ++k) {
    q[m_ + static_cast<Index>(k)] = penalty_kinks_[k].side * v[penalty_kinks_[k].column];
  }
  return q;
}

Vec InnerPoint::gather(const Vec& t) {
  run_.spend(0.5 * price_);
  const RowVec coef = -rows_.y * RowVec(t.head(m_));
  Vec v(v_.size());
  v.head(p_) = rows_.transpose_multiply(coef, run_);
  for (std::size_t k = 0; k < penalty_kinks_.size(); ++k) {
    v[penalty_kinks_[k].column] += penalty_kinks_[k].side * t[m_ + static_cast<Index>(k)];
  }
  if (free_) v[p_] = rows_.sum([&](Index k) { return coef[k]; });
  return v;
}

Vec InnerPoint::solve(const Vec& right) {
  const auto apply = [this](const Vec& v) {
    Vec image = gather(t_.cwiseProduct(slopes(v)));
    image.head(p_) += l2_ * v.head(p_);
    return image;
  };
  const auto precondition = [this](const Vec& v) { return factor_.solve(v); };
  double target = 0, last = HUGE_VAL;  // of the squared energy norm
  const auto more = [&](int step, double rho) {
    if (step == 0) target = 1e-28 * rho;
    const bool falls = rho < std::exchange(last, rho);  // else it is rounding
    return step < 10 && rho > target && falls && run_.in_time();
  };
  return pcg(apply, precondition, right, more).solution;
}

Solution interior_point(const LinearProblem& problem, const InteriorPointOptions&, const Solution&,
                        Sampler&, Run& run) {
  InnerPoint inner(problem, run);
  Best best(run.iterate());
  const auto known = [&] {
    run.spend(0.5);  // for the dual sum
    return inner.offer(best);
  };
  const auto exact = [&] { return certify_best(problem, best, run); };
  dualmargin::interior_point(inner, run, known, exact);
  return {best.primal(), best.dual(), "interior_point"};
}

}  // namespace dualmargin::linear
