// Golden section over t with ADMM inside, the baseline of J. Li, C. Chen, A. M.-C. So (2020),
// arXiv:2010.12865, appendix C, after J. Li, S. Huang, A. M.-C. So (2019), A First-Order
// Algorithmic Framework for Distributionally Robust Logistic Regression, NeurIPS 32,
// arXiv:1910.12778.
//
//   min over t of F(t),   F(t) = min over (w, b) with |w|_q <= t of P(w, b, t)   (MarginAdmm)
//
// F is convex, and at an optimum t <= 1 / epsilon (Proposition 6.10; for every q and c, since
// 1 = P(0, 0, 0) >= P >= t epsilon).
// differs: the certificate is of the whole problem. Where F has a kink the multipliers of no single
// t are optimal, but a mixture of those where F falls and those where it rises is.
#include <memory>
#include <utility>

#include "algebra/normal_matrix.h"
#include "base/roots.h"
#include "robust/cost_model.h"
#include "robust/solvers.h"

namespace dualmargin::robust {
namespace {

// The problem in (w, b) that is left when t is fixed, by ADMM: Algorithm 3 in appendix C of J. Li,
// C. Chen, A. M.-C. So (2020), arXiv:2010.12865. The paper's y, a copy of the margins, is a here,
// since y are labels:
//
//   F(t) = t epsilon + min_{|w|_q <= t, a} sum_i omega_i / W h(a_i) + c/2 |w|^2,
//   h(a) = max{1 - a, 1 + a - kappa t, 0},   a_i = u_i = y_i (x_i'w + b).
//
// The multiplier g_i of a_i = u_i is a slope of h at a_i; split between the pieces that h has there
// it is a dual point of the robust problem, and of the one at t, whose dual
//
//   D_t(alpha, beta) = sum_i omega_i / W (alpha_i + beta_i) + t theta
//                      - max_{|w|_q <= t} (v'w - c/2 |w|^2)
//
// bounds F(t) from below and F at another t by its tangent.
//
// What is known of F at t: F(t) lies between bound and value; the slope is that of the bound.
struct AtT {
  double t = -1, value = HUGE_VAL, bound = -HUGE_VAL, slope = 0;
};

// ADMM at fixed t. Its state stays from one t to the next: the warm start.
// differs: a row counts by its weight in the penalty too, so that a weight is a repeated row; (26)
// has the sign of its third block corrected, and c.
class MarginAdmm {
 public:
  MarginAdmm(const RobustSvm& problem, const Solution& start, const AdmmOptions& options, Run& run)
      : problem_(problem),
        options_(options),
        run_(run),
        w_(start.w),
        b_(start.b),
        g_(start.beta - start.alpha),
        share_(problem.rows.weights / problem.rows.total_weight) {
    nonzeros_ = std::max(problem_.rows.nonzeros(), 1.0);
    moments_ = problem_.moments([&] { return moments(); }, run_);
    u_ = margins();
    a_ = u_;
  }

  // Until F(t) is known to `accuracy` of it, or to be above `rival`.
  AtT solve(double t, double accuracy, double rival) {
    double rho = options_.penalty;
    AtT answer;
    for (int k = 1; k <= options_.inner_steps; ++k) {
      w_step(rho, t);
      a_step(rho, t);
      g_ += rho * (u_ - a_);
      // differs: bounded, since a penalty without limit freezes the iterate wherever it is
      rho = std::min(options_.growth * rho, 1e3 * options_.penalty);
      run_.count_step();
      const bool over = run_.exhausted() || k == options_.inner_steps;
      if (k % steps_between_bounds != 0 && !over) continue;
      answer = bounds(t);
      if (over || !finite() || answer.value - answer.bound <= accuracy * answer.value) break;
      if (answer.bound > rival) break;
    }
    return answer;
  }

  bool finite() const {
    return w_.allFinite() && std::isfinite(b_) &&
           !problem_.rows.any([&](Index i) { return !std::isfinite(g_[i]); });
  }
  Solution point(double t) const {
    Solution s;
    s.w = w_;
    s.b = b_;
    s.t = t;
    s.alpha = alpha_;
    s.beta = beta_;
    s.v = v_;
    return s;
  }

 private:
  static constexpr int steps_between_bounds = 10, most_gradient_steps = 200;

  // |u(w, b) - a|^2 = w'Hw - 2 r'w + ... with H = sum share x x'; a free b is eliminated, which
  // centres the columns.
  Moments moments() {
    WeightedGram gram(problem_.rows);
    gram.rebuild(share_, run_);
    Mat H = gram.matrix().template selfadjointView<Eigen::Lower>();
    Vec mean = Vec::Zero(problem_.dim());
    if (problem_.free_intercept) {
      for (Index j = 0; j < mean.size(); ++j) mean[j] = gram.cross(j);
      H -= mean * mean.transpose();
    }
    run_.spend(cost::gram(problem_.rows) / nonzeros_);
    // the largest eigenvalue by power iteration, five percent added for what is missing
    Index largest = 0;
    H.diagonal().maxCoeff(&largest);
    Vec e = H.col(largest);
    for (int k = 0; k < 50 && e.norm() > 0 && run_.tick().poll(); ++k) {
      e = (H * e.normalized()).eval();
    }
    return {std::move(H), std::move(mean), 1.05 * e.norm()};
  }

  // min over |w|_q <= t of rho/2 sum share (u_i(w, b) - a_i + g_i / rho)^2 + c/2 |w|^2 by
  // accelerated projected gradients: A. Beck, M. Teboulle (2009), SIAM Journal on Imaging Sciences
  // 2, 183-202, with the restart of B. O'Donoghue, E. Candes (2015), Foundations of Computational
  // Mathematics 15, 715-732.
  void w_step(double rho, double t) {
    const Rows& rows = problem_.rows;
    const auto& [H, mean, curvature] = *moments_;
    const RowVec target = rows.y * (a_ - g_ / rho);
    const double mean_target = rows.sum([&](Index i) { return share_[i] * target[i]; });
    Vec r = rows.transpose_multiply(share_ * target, run_);
    r -= mean_target * mean;

    const double L = rho * curvature + problem_.ridge;
    problem_.cone.project_ball(t, w_);
    Vec ahead = w_;
    double momentum = 1, first = 0;
    int steps = 0;
    while (L > 0 && steps < most_gradient_steps && run_.tick().poll()) {
      Vec next = ahead - (rho * (H * ahead - r) + problem_.ridge * ahead) / L;
      problem_.cone.project_ball(t, next);
      const double step = (next - ahead).norm();
      if (++steps == 1) first = step;
      if ((ahead - next).dot(next - w_) > 0) momentum = 1;
      const double later = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
      ahead = next + (momentum - 1) / later * (next - w_);
      momentum = later;
      w_ = std::move(next);
      // differs: not to a fixed accuracy but to a twentieth of where the warm start stood
      if (step <= 0.05 * first) break;
    }
    b_ = problem_.free_intercept ? mean_target - mean.dot(w_) : 0.0;
    u_ = margins();
    run_.spend(2 + steps * static_cast<double>(H.size()) / nonzeros_);
  }

  // min h(a) + rho/2 (a - u_i - g_i / rho)^2: h falls up to `left` and rises from `right` on
  void a_step(double rho, double t) {
    const bool flips = problem_.flips();
    const double middle = flips ? problem_.label_cost * t / 2 : HUGE_VAL;
    const double left = std::min(1.0, middle),
                 right = flips ? std::max(2 * middle - 1, middle) : HUGE_VAL;
    for (Index i = 0; i < problem_.n(); ++i) {
      const double a = u_[i] + g_[i] / rho;
      a_[i] = a < left ? std::min(left, a + 1 / rho) : std::max(std::min(a, right), a - 1 / rho);
    }
  }

  RowVec margins() const { return problem_.rows.y * problem_.scores(w_, b_, run_); }

  AtT bounds(double t) {
    // below kappa t = 2 the third piece is nowhere the largest, above it the first two never meet
    const bool meet = problem_.flips() && problem_.label_cost * t < 2;
    const RowVec sum = meet ? RowVec::Ones(g_.size()) : RowVec(abs(g_));
    alpha_ = (sum - g_) / 2;
    beta_ = (sum + g_) / 2;
    problem_.clip_and_balance(alpha_, beta_);
    v_ = problem_.dual_sum(alpha_, beta_, run_);
    run_.spend(1);
    const auto [flipped, multipliers] = problem_.rows.sum([&](Index i) {
      return std::array<double, 2>{share_[i] * beta_[i], share_[i] * (alpha_[i] + beta_[i])};
    });
    const double theta = problem_.radius - problem_.flip_cost() * flipped;
    // max of v'w - c/2 |w|^2 over |w|_q <= t, and how fast it grows with t
    double most, growth;
    if (problem_.ridge > 0) {
      Vec w = v_ / problem_.ridge;
      growth = problem_.ridge * problem_.cone.project_ball(t, w);
      most = v_.dot(w) - 0.5 * problem_.ridge * w.squaredNorm();
    } else {
      growth = problem_.cone.dual_norm(v_);
      most = t * growth;
    }
    return {t, problem_.value(w_, t, problem_.rows.y * u_), multipliers + t * theta - most,
            theta - growth};
  }

  const RobustSvm& problem_;
  AdmmOptions options_;
  Run& run_;
  Vec w_;
  double b_;
  RowVec u_;             // margins at (w, b)
  RowVec a_;             // their copy
  RowVec g_;             // multipliers of u = a, slopes of h at a
  RowVec share_;         // omega / W
  RowVec alpha_, beta_;  // g split, feasible
  Vec v_;                // their dual sum
  std::shared_ptr<const Moments> moments_;
  double nonzeros_ = 0;
};

// The best mixture of two dual points, its bound taken at the point s.
Solution best_mixture(const RobustSvm& problem, const Primal& primal, const Dual& one,
                      const Dual& other, Tick& tick) {
  Solution s{primal, one};
  s.z = problem.scores(s.w, s.b, tick);
  const auto bound = [&](double share) {
    s.alpha = (1 - share) * one.alpha + share * other.alpha;
    s.beta = (1 - share) * one.beta + share * other.beta;
    s.v = (1 - share) * one.v + share * other.v;
    return problem.estimate(s, s).bound;
  };
  bound(golden_section(bound, 0, 1));
  return s;
}

}  // namespace

Solution gs_admm(const RobustSvm& problem, const AdmmOptions& options, const Solution& start,
                 Run& run) {
  // Without a radius t costs nothing: the search has one point, and there w is free.
  constexpr double unbounded = 1e300;
  constexpr int most_steps = 80;  // no number lies between the ends of the bracket by then

  Solution s = starting_point(problem, start);
  MarginAdmm admm(problem, s, options, run);
  Dual falls, rises;  // where F does, the newest
  Best best = problem.null_point();
  Certificate pair = problem.offer(best, s, problem.certify(s, run));

  const auto proceed = [&] {
    const auto known = [&] { return pair; };
    const auto exact = [&] { return problem.certify(best, run); };
    return run.proceed(known, exact, 0) && admm.finite();
  };
  // F(t), and what its solution is worth to the whole problem
  const auto evaluate = [&](double t, double rival) {
    const AtT f = admm.solve(t, 0.1 * run.tolerance(), rival);
    Solution here = admm.point(t);
    (f.slope < 0 ? falls : rises) = here;
    pair = problem.offer(best, here, problem.certify(here, run));
    run.spend(2);
    if (falls.v.size() > 0 && rises.v.size() > 0) {
      Solution mixed = best_mixture(problem, best.primal(), falls, rises, run);
      pair = problem.offer(best, mixed, problem.certify(mixed, run));
      run.spend(3);
    }
    return f.value;
  };

  bool go_on = proceed();
  if (problem.radius > 0) {
    double least = HUGE_VAL;
    const auto negative = [&](double t) {
      if (!go_on) return 0.0;
      const double value = evaluate(t, least);
      least = std::min(least, value);
      go_on = proceed();
      return -value;
    };
    golden_section(negative, 0, 1 / problem.radius, most_steps, 0);
  } else {
    for (; go_on; go_on = proceed()) evaluate(unbounded, HUGE_VAL);
  }
  return {best.primal(), best.dual(), "gs_admm"};
}

}  // namespace dualmargin::robust
