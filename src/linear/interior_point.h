// The interior point method of algebra/interior_point.h for the plain hinge. On support vector
// machines: M. C. Ferris and T. S. Munson (2003), SIAM Journal on Optimization 13, 783-804; S. Fine
// and K. Scheinberg (2001), Journal of Machine Learning Research 2, 243-264.
//
//   min_v  sum_k c_k max(0, q_k) + l2/2 |w|^2 - l1 1'w,   q = offset + G v,   v = (w, b)
//
// The rows have c_i = omega_i / W and q_i = 1 - y_i (x_i'w + b + o_i), o_i an offset or 0; then,
// where l1 > 0, the coordinates have c_j = 2 l1 and q_j = w_j: together with -l1 1'w they are l1
// |w|_1. Stationarity is
//
//   l2 w - l1 1 + G'(c beta) = 0,   in b:  sum_i c_i y_i beta_i = 0,
//
// with the multipliers beta of the kinks; a_i = -y_i beta_i is the dual point. Eliminating the rest
// leaves one system of size d + 1, (l2 + G' diag(c h) G) dv = r, h the curvature of the kinks.
#pragma once

#include "algebra/conjugate_gradients.h"
#include "algebra/interior_point.h"
#include "algebra/normal_matrix.h"
#include "linear/problem.h"

namespace dualmargin::linear {

template <class Data>
class InnerPoint {
 public:
  InnerPoint(const LinearProblem<Data>& problem, Run& run)
      : problem_(problem),
        run_(run),
        some_(weighted_rows(problem)),
        rows_(problem.rows, some_),
        gram_(rows_),
        m_(rows_.n()),
        p_(problem.dim()),
        signs_(problem.penalty.l1 > 0 ? p_ : 0),
        l1_(problem.penalty.l1),
        l2_(problem.penalty.l2),
        free_(problem.losses.free_intercept),
        c_(Vec::Constant(m_ + signs_, 2 * l1_)),
        v_(Vec::Zero(p_ + free_)),
        offset_(Vec::Zero(m_ + signs_)),
        kinks_(start()),
        q_(offset_) {}

  struct Step {
    Vec v;
    Slacks::Step terms;
  };
  bool finite(const Step& step) const {
    return step.v.allFinite() && kinks_.slacks.finite(step.terms);
  }

  const Slacks& terms() const { return kinks_.slacks; }
  bool joint() const { return l2_ > 0; }
  // Mehrotra's, 1 - O(mu) near the end: superlinear convergence.
  double share(double mu) const { return std::max(0.995, 1 - mu); }

  // false: not positive definite in double precision, or the time is over
  bool factor() {
    kinks_.look(q_, Vec());
    t_ = Vec::NullaryExpr(q_.size(), [&](Index k) { return kinks_.curvature(k).qq; });
    run_.spend(1);
    gram_.rebuild(t_.head(m_), run_);
    if (!run_.in_time()) return false;
    Mat A = gram_.bordered(free_, l2_);
    A.diagonal().head(signs_) += t_.tail(signs_);
    // Columns that add up to a constant leave nothing but rounding of the last pivot. What is added
    // to the diagonal changes no step, since direction() refines with the matrix itself.
    const auto raise = [](Mat& M, double share) { M.diagonal() *= 1 + share; };
    return factor_.factor(std::move(A), {1e-14, 1e-12, 1e-10}, raise, run_);
  }
  Step direction(const Vec& aim) {
    const Vec at_rest = kinks_.at_rest(aim);
    Vec right = -gather(c_.cwiseProduct(kinks_.first(kinks_.slacks.multiplier + at_rest)));
    right.head(p_).array() += l1_;
    right.head(p_) -= l2_ * v_.head(p_);
    Vec dv = solve(right);
    return {dv, kinks_.slacks.step(aim, at_rest + kinks_.response(slopes(dv), Vec()))};
  }
  void move(const Step& step, const StepLengths& length) {
    v_ += length.primal * step.v;
    kinks_.slacks.move(step.terms, length);
    q_ = offset_ + slopes(v_);
  }

  // The best of the points so far, by the scores that are carried along.
  Certificate offer(Best& best) {
    RowVec z = RowVec::Zero(problem_.n()), a = z;
    const Vec beta = kinks_.first(kinks_.slacks.multiplier);
    const double b = free_ ? v_[p_] : 0.0;
    for (Index k = 0; k < m_; ++k) {
      const double y = rows_.y[k];
      z[some_.id[k]] = y * (offset_[k] - q_[k]) - b;
      a[some_.id[k]] = -y * std::clamp(beta[k], 0.0, 1.0);
    }
    const double best_b = problem_.losses.best_intercept(z, b);
    z += best_b;
    const ScoredPrimal primal{{v_.head(p_), best_b}, z};
    SummedDual dual = problem_.summed(std::move(a), run_);
    const Certificate here = problem_.certify(primal, dual, run_);
    best.offer_primal(primal, here.value);
    best.offer_dual(dual, here.bound);
    return best.certificate();
  }

 private:
  static RowChoice weighted_rows(const LinearProblem<Data>& problem) {
    RowChoice some;
    for (Index i = 0; i < problem.n(); ++i) {
      if (problem.rows.weights[i] > 0) some.id.push_back(i);
    }
    const auto of = [&](const RowVec& v) {
      return RowVec::of(static_cast<Index>(some.id.size()), [&](Index k) { return v[some.id[k]]; });
    };
    some.y = of(problem.rows.y);
    some.weights = of(problem.rows.weights);
    if (problem.rows.offset != nullptr) some.offset = of(*problem.rows.offset);
    return some;
  }

  // beta = 1/2, made smaller in the heavier class where the intercept is free: then
  // sum c_i y_i beta_i = 0 at the start and, the constraint being linear, ever after. Rows and
  // coordinates get equal shares of the gap, however small l1 is: the dual point stays as far
  // inside |u_j| <= l1 as rounding needs.
  KinkTerms start() {
    c_.head(m_) = rows_.weights.local() / problem_.rows.total_weight;
    for (Index k = 0; k < m_; ++k) {
      offset_[k] = 1 - rows_.y[k] * problem_.losses.offset_of(some_.id[k]);
    }
    Vec beta = Vec::Constant(c_.size(), 0.5), target = Vec::Ones(c_.size());
    if (signs_ > 0) target.tail(p_).setConstant(1 / (2 * l1_ * static_cast<double>(p_)));
    const double up = rows_.sum([&](Index k) { return rows_.y[k] > 0 ? rows_.weights[k] : 0.0; });
    const double down = rows_.total_weight - up, lighter = std::min(up, down);
    if (free_ && lighter > 0) {
      for (Index k = 0; k < m_; ++k) beta[k] *= lighter / (rows_.y[k] > 0 ? up : down);
    }
    return KinkTerms(rows_, c_, target, offset_, Vec(), beta, Vec());
  }

  // G v and G't
  Vec slopes(const Vec& v) {
    run_.spend(0.5);
    Vec q(c_.size());
    const double b = free_ ? v[p_] : 0.0;
    q.head(m_) = RowVec(-rows_.y * (rows_.multiply(v.head(p_), run_) + b)).local();
    q.tail(signs_) = v.head(signs_);
    return q;
  }
  Vec gather(const Vec& t) {
    run_.spend(0.5);
    const RowVec coef = -rows_.y * RowVec(t.head(m_));
    Vec v(v_.size());
    v.head(p_) = rows_.transpose_multiply(coef, run_);
    v.head(signs_) += t.tail(signs_);
    if (free_) v[p_] = rows_.sum([&](Index k) { return coef[k]; });
    return v;
  }

  // Conjugate gradients preconditioned by the factor of (nearly) the same matrix: iterative
  // refinement that also undoes a regularised pivot.
  Vec solve(const Vec& right) {
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

  const LinearProblem<Data>& problem_;
  Run& run_;
  const RowChoice some_;  // the rows of positive weight
  const Rows<Data> rows_;
  WeightedGram<Data> gram_;
  Index m_, p_, signs_;
  double l1_, l2_;
  bool free_;
  Vec c_, v_, offset_;  // weights of the kinks; (w, b); q at v = 0
  KinkTerms kinks_;
  Vec q_, t_;  // offset + G v; c h
  Cholesky factor_;
};

// A start is not used: from near a solution interior point methods are slower than from afar.
template <class Data>
Solution interior_point(const LinearProblem<Data>& problem, Run& run) {
  InnerPoint<Data> inner(problem, run);
  Best best;
  const auto known = [&] {
    run.spend(0.5);  // for the dual sum
    return inner.offer(best);
  };
  const auto exact = [&] { return certify_best(problem, best, run); };
  dualmargin::interior_point(inner, run, known, exact);
  return {best.primal(), best.dual(), "interior_point"};
}

}  // namespace dualmargin::linear
