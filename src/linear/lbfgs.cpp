// L-BFGS in the metric of a Hessian, with exact steps on cached scores, for a smooth loss and a ridge.
// J. Nocedal (1980), Mathematics of Computation 35, 773-782, with H_0 the inverse Hessian of a sample
// of the rows; where its rate does not promise the end the Hessian of all rows takes its place.
// Renewed in each step this is Newton's method, never renewed L-BFGS.
//
//   min_w  f(w) = min_b (1/W) sum_i omega_i phi(w'x_i + b; y_i) + l2/2 |w|^2
//
//   b      the best one at w; 0 where it is not free. Columns without a penalty have no l2
//   a, h   phi' and phi'' at the scores z_i = w'x_i + b, so that sum omega_i a_i = 0
//   g      grad f(w) = (1/W) sum omega_i a_i x_i + l2 w
//   H      about the inverse of f'': a matrix or a multiple of 1, and pairs of steps and changes of g
//
//   d      = -H g, by the two loops of Nocedal;  m_i = d'x_i + d_b,  d_b the change of the best b
//   t      = argmin of the sum over b and w along (d, d_b), by z + t m
//   w, b, z  += t (d, d_b, m)
//
// The dual point a makes the gap |g|^2 / (2 l2): it is known at every step, and costs nothing. Beside
// columns without a penalty it is that of a balanced a (free_columns.h).
#include <algorithm>
#include <array>
#include <vector>

#include "algebra/cholesky.h"
#include "linear/quasi_newton.h"
#include "linear/solvers.h"

namespace dualmargin::linear {

namespace {

// What is known at a point.
class Descent {
 public:
  using Inverse = Cholesky;
  static constexpr std::size_t steps_of_rate = 2;

  Descent(const LinearProblem& problem, double price, double share, Run& run)
      : problem_(problem),
        run_(run),
        rows_(problem.rows),
        price_(price),
        losses_(problem.losses),
        penalty_(problem.penalty),
        ridge_(Vec::NullaryExpr(rows_.dim(), [&](Index j) { return penalty_.l2_of(j); })),
        share_(share),
        zero_(RowVec::Zero(rows_.n())) {}

  // A quadratic loss is solved by the first step with its own Hessian, and a sample may have no minimum
  // over free columns, nor where all its labels are the same.
  static bool samples(const LinearProblem& problem, double price) {
    return !(problem.losses.loss.dual_shift() && price < 8) && !problem.penalty.any_free();
  }
  static void solve_part(const LinearProblem& problem, const Rows& sample, const RowChoice&,
                         FunctionRef<void(const LinearProblem&)> solve) {
    const auto counts = [&](Index k) { return sample.weights[k] > 0; };
    const double highest =
        sample.max([&](Index k) { return counts(k) ? sample.y[k] : -HUGE_VAL; });
    if (!sample.any([&](Index k) { return counts(k) && sample.y[k] < highest; })) return;
    solve(LinearProblem(sample, problem.losses.held, problem.penalty,
                        problem.losses.free_intercept));
  }

  void start(const Primal& p) {
    at_.w = p.w;
    at_.b = losses_.free_intercept ? p.b : 0.0;
    at_.z = p.w.isZero(0) ? zero_ : rows_.multiply(p.w, run_);
    at_.z += at_.b;
    losses_.along(at_.z, zero_, 0, loss_);
    settle();
  }
  const ScoredPrimal& primal() const { return at_; }
  Certificate certify(Dual& d) const {
    if (!penalty_.any_free()) {
      d.a = loss_.slope;
      return problem_.told(at_, d, Certificate(value(), gap()));
    }
    SummedDual balanced = problem_.summed(loss_.slope, run_);
    const Certificate c = problem_.certify(at_, balanced, run_);
    d.a = std::move(balanced.a);
    return c;
  }
  double value() const { return losses_.value(at_.z) + penalty_.value(at_.w); }
  // With slopes of free columns, which count as others do, not the gap, but near it as steps see it.
  double gap() const { return g_.squaredNorm() / (2 * penalty_.l2); }
  double price() const { return price_; }
  double steps_after(double) const { return 3; }

  void renew(Metric<Cholesky>& metric) const {
    const Index p = at_.w.size();
    Mat H = rows_.gram(curvature(), losses_.free_intercept, run_);
    run_.spend(share_);
    if (!run_.in_time()) return;
    if (losses_.free_intercept && H(p, p) > 0) {
      const Vec cross = H.row(p).head(p);
      H.topLeftCorner(p, p).triangularView<Eigen::Lower>() -= cross * (cross / H(p, p)).transpose();
    }
    Mat reduced = H.topLeftCorner(p, p);
    reduced.diagonal() += ridge_;
    const auto raise = [](Mat& A, double share) { A.diagonal() *= 1 + share; };
    const Shares shares{0.0, 1e-12, 1e-8};  // a direction of descent is all that is asked of it
    Cholesky factors;
    if (factors.factor(std::move(reduced), shares, raise, run_)) metric.renew(std::move(factors));
  }

  void step(Metric<Cholesky>& metric) {
    Vec d = -metric.times(g_);
    RowVec m = rows_.multiply(d, run_);
    double d_b = 0;
    if (losses_.free_intercept) {
      const RowVec h = curvature();
      const auto [cross, total] = rows_.sum([&](Index i) {
        return std::array<double, 2>{h[i] * m[i], h[i]};
      });
      if (total > 0) d_b = -cross / total;
      m += d_b;
    }
    const double t = exact_step(d, m);
    d *= t;
    at_.w += d;
    at_.b += t * d_b;
    at_.z += t * m;
    const Vec before = g_;
    settle();
    metric.learn(std::move(d), g_ - before);
    run_.count_step();
  }

 private:
  RowVec curvature() const { return rows_.weights * loss_.curvature / rows_.total_weight; }

  // Slopes are those of z: the best b next to it, and g there.
  void settle() {
    constexpr double enough = 1e-12;
    if (losses_.free_intercept) {
      const auto [r, rise, size] = rows_.sum([&](Index i) {
        const double a = rows_.weights[i] * loss_.slope[i];
        return std::array<double, 3>{a, rows_.weights[i] * loss_.curvature[i], std::abs(a)};
      });
      if (std::abs(r) > enough * size) {
        const double shift =
            losses_.slopes_at_best(at_.z, zero_, 0, rise > 0 ? -r / rise : 0, loss_, enough);
        at_.b += shift;
        at_.z += shift;
      }
    }
    g_ = rows_.transpose_multiply(rows_.weights * loss_.slope / rows_.total_weight, run_);
    g_ += ridge_.cwiseProduct(at_.w);
    run_.spend(share_);
  }

  // Slopes are then those there.
  double exact_step(const Vec& d, const RowVec& m) {
    const Vec pull = ridge_.cwiseProduct(d);
    const double fall = -g_.dot(d), rise = pull.dot(at_.w), bend = pull.dot(d);
    if (!(fall > 0)) return 0;
    const RowVec h = curvature();
    const double start = fall / (rows_.sum([&](Index i) { return h[i] * m[i] * m[i]; }) + bend);
    return step_along(fall, start, [&](double t) {
      const auto [slope, curve] = losses_.along(at_.z, m, t, loss_);
      return std::array<double, 2>{slope + rise + t * bend, curve + bend};
    });
  }

  const LinearProblem& problem_;
  Run& run_;
  const Rows& rows_;
  double price_;
  const RowLosses& losses_;
  const ElasticNet& penalty_;
  const Vec ridge_;  // of each column
  double share_;
  const RowVec zero_;
  ScoredPrimal at_;
  Slopes loss_;
  Vec g_;
};

}  // namespace

Solution lbfgs(const LinearProblem& problem, const LbfgsOptions& options, const Solution& start,
               Sampler& sampler, Run& run) {
  return descend_from<Descent>(problem, start, options.subsample ? &sampler : nullptr, run);
}

}  // namespace dualmargin::linear
