// Newton's method for the problems of all classes, its steps by conjugate gradients. For
// multinomial logistic regression C.-J. Lin, R. C. Weng and S. S. Keerthi (2008), Trust region
// Newton method for logistic regression, Journal of Machine Learning Research 9, 627-650, with an
// exact line search in the place of the trust region; the Crammer-Singer loss is smoothed by an
// entropy, Y. Nesterov (2005), Smooth minimization of non-smooth functions, Mathematical
// Programming 103, 127-152, less and less so.
//
//   min_{w, b}  \frac\lambda2 \sum_c |w_c|^2 + \frac1W \sum_i \omega_i \phi_\mu(z_i; y_i)
//   \phi_\mu(z; y) = \mu \log \sum_c e^{(z_c + m [c \ne y]) / \mu} - z_y
//
// With m = 0 and mu = 1 that is the softmax loss, and mu stays; with m = 1 it is above the
// Crammer-Singer loss by at most mu log k, and mu falls whenever the minimum is near in comparison.
// The Hessian in a direction (d, e) is
//
//   \lambda d_c + \frac1{W \mu} \sum_i \omega_i p_{ic} (s_{ic} - p_i^\top s_i) x_i,
//   s_i = d^\top x_i + e,
//
// p_i the probabilities of the scores (z_i + m [c \ne y_i]) / mu; joint_preconditioner.h has what
// is inverted of it. All vectors sum to zero over the classes, where the Hessian is well
// conditioned: on what the classes have in common it is lambda alone.
//
//   w, b, z   the point and its scores
//   u         the probabilities, the dual point of w
#include <array>
#include <utility>

#include "algebra/conjugate_gradients.h"
#include "algebra/line_search.h"
#include "linear/joint_preconditioner.h"
#include "linear/joint_solvers.h"
#include "loss/class_intercepts.h"

namespace dualmargin::linear {

class JointNewton {
 public:
  JointNewton(const JointProblem& problem, const JointSolution& start, Run& run)
      : problem_(problem),
        run_(run),
        k_(problem.classes),
        p_(problem.dim()),
        preconditioner_(problem.rows, k_, problem.free_intercept, problem.space.l2) {
    s_ = problem.begin(start, "newton");
    z_ = problem.scores(s_.w, s_.b, run);
    run.spend(0.5);
    if (!problem.free_intercept) return;
    own_ = -problem.pull(problem.shares(RowMat::zero(problem.n(), k_)), run).v;
    shares_ = problem.class_shares();
    run.spend(0.5);
  }

  // Probabilities and gradient here, and the gap that they tell: that of a dual point that is
  // balanced, or above it.
  Certificate look() {
    s_.u = z_;
    for (Index i = 0; i < problem_.n(); ++i) {
      auto u = s_.u[i];
      u[problem_.y[i]] -= problem_.loss.margin;
      u = ((u.array() - u.maxCoeff()) / mu_).exp();
      u /= u.sum();
    }
    auto pull = problem_.pull(problem_.shares(s_.u), run_);
    drift_ = std::move(pull.drift);
    gradient_ = pull.v + problem_.space.l2 * s_.w;
    run_.spend(0.5);
    const ClassLoss& phi = problem_.loss;
    const auto [losses, smoothing] = problem_.rows.sum([&](Index i) {
      const double* z = z_.at(i);
      const double share = problem_.rows.share(i);
      const double gap = problem_.loss.smooth ? 0.0 : phi.fenchel_gap(z, s_.u.at(i), problem_.y[i]);
      return std::array<double, 2>{share * phi.value(z, problem_.y[i]), share * gap};
    });
    smoothing_ = smoothing;
    const double theta = problem_.free_intercept ? balanced_gap(losses) : 0.0;
    if (theta == 0) inner_gap_ = gradient_.squaredNorm() / (2 * problem_.space.l2);
    const Certificate c(losses + 0.5 * problem_.space.l2 * s_.w.squaredNorm(),
                        (1 - theta) * smoothing + inner_gap_);
    return offer(problem_.told(s_, c));
  }
  // Less smoothing where the minimum is near in comparison. Where probabilities become those of
  // vertices nothing is left to bend the losses: then less of a change is tried.
  void sharpen() {
    if (problem_.loss.smooth || !(inner_gap_ <= nearness * smoothing_) || mu_ < 1e-13) return;
    const double before = smoothing_, from = mu_;
    double factor = sharpening;
    for (int trial = 0; trial < 4; ++trial, factor = std::sqrt(factor)) {
      mu_ = from * factor;
      look();
      if (smoothing_ >= 0.3 * factor * before) break;
    }
    run_.renew_patience();  // the gap first rises
  }
  Certificate certify() { return offer(problem_.certify(s_, run_)); }

  // false: there is no step down, or no time for it.
  bool step() {
    probabilities_ = s_.u;
    if (!preconditioner_.build(probabilities_, mu_, run_)) return false;
    const Vec d = direction();
    if (!run_.in_time()) return false;
    const Mat dw = weights(d);
    const Vec db = intercepts(d);
    const RowMat dz = problem_.scores(dw, db, run_);
    run_.spend(0.5);
    const double lambda = problem_.space.l2;
    const double w_dw = lambda * s_.w.cwiseProduct(dw).sum(), dw_dw = lambda * dw.squaredNorm();
    const auto along = [&](double t) {
      const auto [slope, bend] = problem_.losses_along(z_, dz, t, mu_);
      const double d_total = w_dw + t * dw_dw + slope;
      return LineSlope{d_total, d_total, dw_dw + bend};
    };
    const double t = exact_step(along(0).right, along);
    if (t == 0) return false;
    s_.w += t * dw;
    s_.b += t * db;
    z_.add(t, dz);
    run_.count_step();
    return true;
  }

  JointSolution solution() && { return best_of(problem_, best_, std::move(s_), run_); }

 private:
  // The inner gap with the dual point (1 - theta) u + theta p that is balanced; returns theta. Its
  // sum of a_i x_i is known exactly, and phi^* is convex: of the losses' part of the gap at p, the
  // same for all rows, it takes theta at most.
  double balanced_gap(double losses) {
    const auto [theta, p] = balance_of(shares_ + drift_, shares_);
    if (!(theta > 0)) return 0;
    const ClassLoss& phi = problem_.loss;
    const Vec z = sums(problem_.rows, k_,
                       [&](Index i, Index c) { return problem_.rows.share(i) * z_(i, c); });
    const double own =
        problem_.rows.sum([&](Index i) { return problem_.rows.share(i) * z_(i, problem_.y[i]); });
    double conjugates = 0;
    for (Index c = 0; c < k_; ++c) conjugates += shares_[c] * phi.conjugate(p.data(), c);
    const Vec all = own_.rowwise().sum();
    const Mat pulled = all * p.transpose() - own_;
    const Mat rest = (1 - theta) * gradient_ + theta * (problem_.space.l2 * s_.w + pulled);
    inner_gap_ = rest.squaredNorm() / (2 * problem_.space.l2) +
                 theta * (losses + conjugates + own - p.dot(z));
    return theta;
  }
  Certificate offer(const Certificate& c) {
    best_.offer_primal(s_, c.value);
    best_.offer_dual(s_, c.bound);
    return c;
  }

  Index width() const { return p_ + (problem_.free_intercept ? 1 : 0); }
  // A direction as one vector: for each class its weights, and its intercept where that is free.
  Mat weights(const Vec& d) const { return square(d).topRows(p_); }
  Vec intercepts(const Vec& d) const {
    return problem_.free_intercept ? Vec(square(d).row(p_)) : Vec(Vec::Zero(k_));
  }
  Eigen::Map<const Mat> square(const Vec& d) const { return {d.data(), width(), k_}; }
  Vec joined(const Mat& w, const Vec& b) const {
    Mat all(width(), k_);
    all.topRows(p_) = w;
    if (problem_.free_intercept) all.row(p_) = b;
    return Eigen::Map<const Vec>(all.data(), all.size());
  }

  // To a tenth of the gradient in the norm of the preconditioner, or a hundredth where that takes
  // few products: the line search makes up for the rest.
  Vec direction() {
    double target = 0;
    int products = 0;
    const auto more = [&](int step, double rho) {
      if (step == 0) target = preconditioner_.accuracy() * rho;
      products = step;
      return step < 500 && rho > target && !run_.exhausted();
    };
    const auto apply = [&](const Vec& d) { return hessian(d); };
    Vec d = pcg(apply, preconditioner_, Vec(-joined(gradient_, drift_)), more).solution;
    preconditioner_.used(products);
    return d;
  }
  Vec hessian(const Vec& d) {
    const Mat w = weights(d);
    RowMat q = problem_.scores(w, intercepts(d), run_);
    for (Index i = 0; i < problem_.n(); ++i) {
      const auto p = probabilities_[i];
      const double mean = p.dot(q[i]);
      q[i] = problem_.rows.share(i) / mu_ * p.cwiseProduct((q[i].array() - mean).matrix());
    }
    run_.spend(1);
    const auto pull = problem_.pull(q, run_);
    return joined(pull.v + problem_.space.l2 * w, pull.drift);
  }

  static constexpr double nearness = 0.3, sharpening = 0.2;

  const JointProblem& problem_;
  Run& run_;
  Index k_, p_;
  double mu_ = 1, inner_gap_ = 0, smoothing_ = 0;
  JointSolution s_;
  JointBest best_;
  RowMat z_, probabilities_;
  Mat gradient_, own_;  // own_: sum over the rows of each class of omega_i x_i / W
  Vec drift_, shares_;
  JointPreconditioner preconditioner_;
};

JointSolution joint_newton(const JointProblem& problem, const JointSolution& start, Run& run) {
  JointNewton method(problem, start, run);
  const auto look = [&] { return method.look(); };
  const auto certify = [&] { return method.certify(); };
  // before the gap falls in the end it may stand or rise, as the dual point is far from the primal
  run.be_patient(0.9);
  while (run.proceed(look, certify, 0)) {
    method.sharpen();
    if (!method.step()) break;
  }
  return std::move(method).solution();
}

}  // namespace dualmargin::linear
