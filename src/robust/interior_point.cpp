// The interior point method of algebra/interior_point.h on the problem of robust_svm.h with
// x = (w, b, t): its rows are kinks with q_i = 1 - u_i and r_i = 1 + u_i - kappa t, and |w|_q <= t
// has the multipliers (Y, rho) of cone.h. Stationarity, c_i = omega_i / W,
//
//   w: c w - sum_i c_i (alpha_i - beta_i) z_i - Y = 0,    z_i = y_i x_i,
//   b: sum_i c_i (alpha_i - beta_i) y_i = 0,
//   t: epsilon - kappa sum_i c_i beta_i - rho = 0.
//
// Eliminating heights and multipliers leaves one system in x for every step (newton_matrix.h).
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "robust/cone.h"
#include "robust/newton_matrix.h"
#include "robust/solvers.h"

namespace dualmargin::robust {

namespace {

// Rows of weight zero have no multipliers.
RowChoice weighted_rows(const Rows& all) {
  RowChoice some;
  for (Index i = 0; i < all.n(); ++i) {
    if (all.weights[i] > 0) some.id.push_back(i);
  }
  const auto count = static_cast<Index>(some.id.size());
  some.weights = RowVec::of(count, [&](Index k) { return all.weights[some.id[k]]; });
  some.y = RowVec::of(count, [&](Index k) { return all.y[some.id[k]]; });
  return some;
}

// The pairs of the rows and of the cone as one.
struct RobustTerms {
  KinkTerms rows;
  std::unique_ptr<Cone> cone;

  struct Aim {
    Vec rows, cone;
  };
  struct Step {
    Slacks::Step rows, cone;
  };

  double degree() const { return rows.slacks.degree() + cone->slacks.degree(); }
  double gap() const { return rows.slacks.gap() + cone->slacks.gap(); }
  double gap(const Step& step, const StepLengths& length) const {
    return rows.slacks.gap(step.rows, length) + cone->slacks.gap(step.cone, length);
  }
  Aim predictor() const { return {rows.slacks.predictor(), cone->predictor()}; }
  Aim corrector(double mu, const Step& affine) const {
    return {rows.slacks.corrector(mu, affine.rows), cone->corrector(mu, affine.cone)};
  }
  Aim recentred(const Aim& aim, const Step& step, const StepLengths& hope, double mu) const {
    return {rows.slacks.recentred(aim.rows, step.rows, hope, mu),
            cone->recentred(aim.cone, step.cone, hope, mu)};
  }
  StepLengths room(const Step& step) const {
    const StepLengths row = rows.slacks.room(step.rows), ball = cone->room(step.cone);
    return {std::min(row.primal, ball.primal), std::min(row.dual, ball.dual)};
  }
};

class InnerPoint {
 public:
  InnerPoint(const RobustSvm& problem, Run& run)
      : p_(problem),
        matrix_(problem, run),
        d_(problem.dim()),
        t_(matrix_.size() - 1),
        x_(Vec::Unit(t_ + 1, t_)),
        u_(RowVec::Zero(problem.n())),
        share_(problem.rows.weights / problem.rows.total_weight),
        terms_(central()) {}

  struct Step {
    Vec x;
    RobustTerms::Step terms;
  };
  bool finite(const Step& step) const {
    return step.x.allFinite() && terms_.rows.slacks.finite(step.terms.rows);
  }

  const RobustTerms& terms() const { return terms_; }
  bool joint() const { return p_.ridge > 0; }
  // differs: no closer to the boundary however small mu is, as second-order cones lose their centre
  // else.
  double share(double) const { return 0.98; }

  bool factor() {
    careful_ = careful_ || (feasible_ && certified_gap_ > 2 * terms_.gap());
    terms_.rows.look(RowVec(1 - u_).local(), second(u_, x_[t_], 1));
    terms_.cone->look(x_.head(d_), x_[t_]);
    return matrix_.factor(terms_.rows, *terms_.cone);
  }
  Step direction(const RobustTerms::Aim& aim) {
    Vec dx = Vec::Zero(t_ + 1);
    KinkTerms& rows = terms_.rows;
    Cone& cone = *terms_.cone;
    Vec d_rows = rows.at_rest(aim.rows), d_cone = cone.at_rest(aim.cone);
    double ray = cone.ray_at_rest(aim.cone);
    for (int k = 0; k < (careful_ ? 2 : 1); ++k) {
      // what is out of balance in the stationarity conditions, x has to answer
      const Vec y = rows.slacks.multiplier + d_rows;
      const Cone::Force force = cone.force(cone.slacks.multiplier + d_cone);
      Vec rest = Vec::Zero(t_ + 1);
      rest.head(d_) = force.w - p_.ridge * (x_.head(d_) + dx.head(d_));
      const RowVec first(rows.first(y)), beta(rows.second(y));
      const double flipped = p_.rows.sum([&](Index i) { return share_[i] * beta[i]; });
      rest[t_] = force.t + p_.flip_cost() * flipped - p_.radius;
      const auto part = matrix_.solve(share_ * (first - beta), rest, ray);
      ray = 0;
      dx += part.x;
      d_rows += rows.response(-part.u.local(), second(part.u, part.x[t_], 0));
      d_cone += cone.response(part.x.head(d_), part.x[t_], part.ray);
    }
    return {dx,
            {rows.slacks.step(aim.rows, d_rows), cone.step(aim.cone, d_cone, dx.head(d_), dx[t_])}};
  }
  void move(const Step& step, const StepLengths& length) {
    careful_ = careful_ || length.shorter() < 0.1;
    feasible_ = length.dual > 0.9;
    x_ += length.primal * step.x;
    terms_.rows.slacks.move(step.terms.rows, length);
    terms_.cone->slacks.move(step.terms.cone, length);
    u_ = matrix_.slopes(x_);
  }

  // The point and its certificate, of the scores that are carried along.
  std::pair<Solution, Certificate> point(Tick& tick) {
    Solution s;
    s.w = x_.head(d_);
    s.b = matrix_.intercept(x_);
    s.z = p_.rows.y * u_;
    s.t = p_.radius > 0 ? std::max(x_[t_], p_.cone.norm(s.w)) : p_.best_t(s.w, s.z);
    s.alpha = RowVec(terms_.rows.first(terms_.rows.slacks.multiplier));
    s.beta = RowVec(terms_.rows.second(terms_.rows.slacks.multiplier));
    p_.clip_and_balance(s.alpha, s.beta);
    s.v = p_.dual_sum(s.alpha, s.beta, tick);
    const Certificate c = p_.estimate(s, s);
    certified_gap_ = c.gap;
    return {std::move(s), c};
  }

 private:
  // 1 + u - kappa t, or how it moves; empty where labels cannot be flipped
  Vec second(const RowVec& u, double t, double one) const {
    if (!p_.flips()) return Vec();
    return RowVec(one + u - p_.flip_cost() * t).local();
  }

  // At w = 0 and t = 1. alpha = beta and small enough that v = 0 and theta >= epsilon / 2: strictly
  // feasible. Without flips alpha = 1/2, made smaller in the heavier class where the intercept is
  // free, so that sum c_i y_i alpha_i = 0 from the start.
  // differs: no smaller than these, even where that is not feasible: from multipliers of 1e-5, as a
  // tiny radius would have them, the products start so far apart that the steps stay short.
  RobustTerms central() const {
    constexpr double least_beta = 0.05, least_theta = 0.03;
    const Index n = p_.n();
    const bool flips = p_.flips();
    const double paid = p_.radius / (2 * p_.label_cost);
    const double beta = flips ? std::clamp(paid, least_beta, 0.3) : 0.0;
    Vec alpha = Vec::Constant(n, flips ? beta : 0.5);
    const double up = p_.class_share(1), down = p_.class_share(-1), lighter = std::min(up, down);
    if (!flips && p_.free_intercept && lighter > 0) {
      for (Index i = 0; i < n; ++i) alpha[i] *= lighter / (p_.rows.y[i] > 0 ? up : down);
    }
    std::unique_ptr<Cone> cone = no_cone(d_);
    if (p_.radius > 0) {
      const double theta = p_.radius - p_.flip_cost() * beta;
      cone = make_cone(p_.cone.q, d_, 1, flips ? std::max(theta, least_theta) : theta);
    }
    const Vec ones = Vec::Ones(n);
    return {KinkTerms(p_.rows, share_.local(), ones, ones, second(u_, 1, 1), alpha,
                      Vec::Constant(n, beta)),
            std::move(cone)};
  }

  const RobustSvm& p_;
  NewtonMatrix matrix_;
  Index d_, t_;
  Vec x_;     // (w, b, t)
  RowVec u_;  // u_i = y_i (x_i'w + b)
  const RowVec share_;
  RobustTerms terms_;
  // Rounding of a step times the rows' curvature 1 / mu enters the dual residual. From the first
  // sign of it, a certificate worse than mu says although the last step was feasible, or a short
  // step, every direction is corrected once for what it leaves.
  bool careful_ = false, feasible_ = false;
  double certified_gap_ = HUGE_VAL;
};

}  // namespace

Solution interior_point(const RobustSvm& whole, Run& run) {
  const RowChoice some = weighted_rows(whole.rows);
  const RobustSvm problem(Rows(whole.rows, some), whole.settings);
  InnerPoint inner(problem, run);
  Best best = problem.null_point(run.iterate());
  const auto known = [&] {
    run.spend(0.5);  // for the dual sum
    const auto [s, c] = inner.point(run);
    // a bound for |w|_q <= R says nothing beside one for another R
    if (problem.conditional()) best = problem.null_point(run.iterate());
    return problem.offer(best, s, c);
  };
  const auto expanded = [&] {
    Dual all{RowVec::Zero(whole.n()), RowVec::Zero(whole.n()), Vec()};
    for (Index k = 0; k < problem.n(); ++k) {
      all.alpha[some.id[k]] = best.dual().alpha[k];
      all.beta[some.id[k]] = best.dual().beta[k];
    }
    return Solution{best.primal(), std::move(all), "interior_point"};
  };
  const auto exact = [&] {  // on all rows
    Solution s = expanded();
    return whole.certify(s, run);
  };
  dualmargin::interior_point(inner, run, known, exact);
  return expanded();
}

}  // namespace dualmargin::robust
