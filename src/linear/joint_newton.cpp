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
// With an l1 part, of the softmax loss alone, a step is one of proximal Newton as in
// proximal_newton.h, on the columns in use or about to be:
//
//   min_d  G^\top d + \frac12 d^\top H d + l1 |w + d|_1 + \frac{l2}2 |w + d|^2
//
// over the coefficients of all classes, with the free intercepts at their best: of the Hessian of
// the losses what is left without them, H_ww - H_wb H_bb^{-1} H_bw, and so of the gradient.
// l1_model.cpp solves it. glmnet's multinomial model takes one class at a time, J. Friedman, T.
// Hastie and R. Tibshirani (2010), Journal of Statistical Software 33(1), 1-22, section 4; here what
// couples the classes is part of the step.
//
//   w, b, z   the point and its scores
//   a         the probabilities, the dual point of w; u its sum
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "algebra/cholesky.h"
#include "algebra/conjugate_gradients.h"
#include "algebra/line_search.h"
#include "algebra/normal_matrix.h"
#include "linear/balanced_gap.h"
#include "linear/joint_preconditioner.h"
#include "linear/joint_solvers.h"
#include "linear/l1_model.h"
#include "loss/class_intercepts.h"

namespace dualmargin::linear {

class JointNewton {
 public:
  JointNewton(const JointProblem& problem, const JointSolution& start, Run& run)
      : problem_(problem),
        run_(run),
        losses_(problem.losses),
        k_(losses_.classes()),
        p_(problem.dim()),
        g_(problem.penalty) {
    s_ = problem.begin(start, "newton");
    z_ = problem.scored(s_, run).z;
    run.spend(0.5);
    if (sparse()) {
      gram_.emplace(problem.rows);
      return;
    }
    preconditioner_.emplace(problem);
    balanced_.emplace(problem, run.tick());
    if (losses_.free_intercept) run.spend(0.5);
  }

  bool sparse() const { return g_.l1 > 0; }

  // Probabilities here, and the gap that their gradient tells: that of a dual point that is
  // balanced, or above it. With an l1 part they have to be scaled for one. Where the gradient alone
  // would be small enough for the end, and its dual point is not balanced, free intercepts move to
  // their best first: what is missing counts in the gap itself, and the gradient by its square.
  Certificate look(bool at_best = false) {
    if (at_best) {
      const Vec shift = losses_.slopes_at_best(z_, Vec::Zero(k_), probabilities_);
      s_.b += shift;
      z_ = std::move(z_) + shift;
    } else {
      probabilities_ = losses_.slopes(z_, mu_);
    }
    s_.a = probabilities_;
    u_ = problem_.dual_sum(s_.a, run_);
    run_.spend(0.5);
    if (sparse()) {
      if (losses_.free_intercept) drift_ = losses_.drift(s_.a);
      run_.spend(1);
      return certify();
    }
    const Mat gradient = u_ + g_.l2 * s_.w;
    const ClassLoss& phi = losses_.loss;
    const auto [losses, smoothing] = problem_.rows.sum([&](Index i) {
      const double* z = z_.at(i);
      const double share = losses_.share(i);
      const double gap = phi.smooth ? 0.0 : phi.fenchel_gap(z, s_.a.at(i), losses_.y[i]);
      return std::array<double, 2>{share * phi.value(z, losses_.y[i]), share * gap};
    });
    smoothing_ = smoothing;
    const auto [inner, theta] = balanced_->at(s_.w, z_, s_.a, losses, gradient);
    inner_gap_ = inner;
    drift_ = balanced_->drift();
    const Certificate c(losses + 0.5 * g_.l2 * s_.w.squaredNorm(),
                        (1 - theta) * smoothing + inner_gap_);
    if (theta > 0 && losses_.smooth() && !at_best && !run_.within_tolerance(c) &&
        run_.within_tolerance({c.value, gradient.squaredNorm() / (2 * g_.l2)})) {
      return look(true);
    }
    return offer(problem_.told(s_, s_, c));
  }
  // Less smoothing where the minimum is near in comparison. Where probabilities become those of
  // vertices nothing is left to bend the losses: then less of a change is tried.
  void sharpen() {
    constexpr double least_mu = 1e-13;  // next to rounding of probabilities
    if (losses_.smooth() || !(inner_gap_ <= nearness * smoothing_) || mu_ < least_mu) return;
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

  // false: there is no step down, no time for it, or too many columns.
  bool step() {
    Mat dw;
    Vec db;
    if (!(sparse() ? model(dw, db) : system(dw, db)) || !run_.in_time()) return false;
    const RowMat dz = problem_.multiply(dw, run_) + db;
    run_.spend(0.5);
    const double squares = g_.l2 * dw.squaredNorm();
    const auto along = [&](double t) {
      const auto [fall, bend] = losses_.along(z_, dz, t, mu_);
      double kinks = 0, smooth = 0;
      for (Index c = 0; c < k_; ++c) {
        for (Index j = 0; j < p_; ++j) {
          const double d = dw(j, c), w = s_.w(j, c) + t * d;
          if (w == 0) kinks += g_.l1 * std::abs(d);
          smooth += (g_.l2 * w + g_.l1 * (w > 0 ? 1.0 : w < 0 ? -1.0 : 0.0)) * d;
        }
      }
      const double middle = fall + smooth;
      return LineSlope{middle - kinks, middle + kinks, bend + squares};
    };
    const double t = exact_step(along(0).right, along);
    if (sparse()) damp(t);
    if (t == 0) return false;
    s_.w += t * dw;
    s_.b += t * db;
    z_.add(t, dz);
    run_.count_step();
    return true;
  }

  JointSolution solution() && { return best_of(problem_, best_, std::move(s_), run_); }

 private:
  Certificate offer(const Certificate& c) {
    best_.offer_primal(s_, c.value);
    best_.offer_dual(s_, c.bound);
    return c;
  }

  Index width() const { return p_ + (losses_.free_intercept ? 1 : 0); }
  // A direction as one vector: for each class its weights, and its intercept where that is free.
  Mat weights(const Vec& d) const { return square(d).topRows(p_); }
  Vec intercepts(const Vec& d) const {
    return losses_.free_intercept ? Vec(square(d).row(p_)) : Vec(Vec::Zero(k_));
  }
  Eigen::Map<const Mat> square(const Vec& d) const { return {d.data(), width(), k_}; }
  Vec joined(const Mat& w, const Vec& b) const {
    Mat all(width(), k_);
    all.topRows(p_) = w;
    if (losses_.free_intercept) all.row(p_) = b;
    return Eigen::Map<const Vec>(all.data(), all.size());
  }

  bool system(Mat& dw, Vec& db) {
    if (!preconditioner_->build(probabilities_, mu_, run_)) return false;
    const Vec d = direction();
    dw = weights(d);
    db = intercepts(d);
    return true;
  }
  // To a tenth of the gradient in the norm of the preconditioner, or a hundredth where that takes
  // few products: the line search makes up for the rest.
  Vec direction() {
    double target = 0;
    int products = 0;
    const auto more = [&](int step, double rho) {
      if (step == 0) target = preconditioner_->accuracy() * rho;
      products = step;
      return step < 500 && rho > target && !run_.exhausted();
    };
    const auto apply = [&](const Vec& d) { return hessian(d); };
    Vec d = pcg(apply, *preconditioner_, Vec(-joined(u_ + g_.l2 * s_.w, drift_)), more).solution;
    preconditioner_->used(products);
    return d;
  }
  Vec hessian(const Vec& d) {
    const Mat w = weights(d);
    RowMat q = problem_.multiply(w, run_) + intercepts(d);
    for (Index i = 0; i < problem_.n(); ++i) {
      const auto p = probabilities_[i];
      const double mean = p.dot(q[i]);
      q[i] = losses_.share(i) / mu_ * p.cwiseProduct((q[i].array() - mean).matrix());
    }
    run_.spend(1);
    Vec of_b;
    if (losses_.free_intercept) {
      of_b = sums(problem_.rows, k_, [&](Index i, Index c) { return q(i, c); });
    }
    return joined(problem_.transpose_multiply(q, run_) + g_.l2 * w, of_b);
  }

  std::vector<Index> columns_in_use() const {
    std::vector<Index> some;
    for (Index j = 0; j < p_; ++j) {
      const bool rests = s_.w.row(j).isZero(0) && u_.row(j).cwiseAbs().maxCoeff() <= 0.99 * g_.l1;
      if (p_ * k_ <= 200 || !rests) some.push_back(j);
    }
    return some;
  }
  bool model(Mat& dw, Vec& db) {
    const std::vector<Index> columns = columns_in_use();
    const auto m = static_cast<Index>(columns.size());
    Mat curvature;
    if (m * k_ > most_coefficients || !build(columns, curvature)) return false;
    Vec w(m * k_), u(m * k_), norm(m * k_);
    const Vec& norms = problem_.rows.column_norms(run_);
    for (Index c = 0; c < k_; ++c) {
      for (Index j = 0; j < m; ++j) {
        w[c * m + j] = s_.w(columns[j], c);
        u[c * m + j] = u_(columns[j], c);
        norm[c * m + j] = norms[columns[j]];
      }
    }
    if (losses_.free_intercept) u -= cross_ * intercepts_.solve(drift_);
    std::vector<Index> all(static_cast<std::size_t>(m * k_));
    std::iota(all.begin(), all.end(), Index{0});
    const NewtonModel ask{w, u, 0, RowVec(), g_, damping_};
    const Direction d = l1_direction(std::move(curvature), all, ask, norm, run_);
    if (!d.finite()) return false;
    dw = Mat::Zero(p_, k_);
    for (Index c = 0; c < k_; ++c) {
      for (Index j = 0; j < m; ++j) dw(columns[j], c) = d.delta[c * m + j];
    }
    db = Vec::Zero(k_);
    if (losses_.free_intercept) db = -intercepts_.solve(drift_ + cross_.transpose() * d.delta);
    return db.allFinite();
  }
  // curvature, and cross_ and intercepts_ where these are free, at the probabilities.
  bool build(const std::vector<Index>& columns, Mat& curvature) {
    const auto m = static_cast<Index>(columns.size());
    gram_->restrict_to(columns);
    curvature = Mat::Zero(m * k_, m * k_);
    cross_ = Mat::Zero(m * k_, k_);
    Mat of_b = Mat::Zero(k_, k_);
    for (Index c = 0; c < k_; ++c) {
      for (Index l = 0; l <= c; ++l) {
        const auto curve = [&](Index i) {
          return losses_.share(i) * probabilities_(i, c) *
                 ((c == l ? 1.0 : 0.0) - probabilities_(i, l));
        };
        gram_->rebuild(RowVec::of(problem_.n(), curve), run_);
        run_.spend(1 / static_cast<double>(k_));
        if (!run_.in_time()) return false;
        const Mat whole =
            gram_->bordered(losses_.free_intercept, 0.0).selfadjointView<Eigen::Lower>();
        curvature.block(c * m, l * m, m, m) = whole.topLeftCorner(m, m);
        if (c != l) curvature.block(l * m, c * m, m, m) = whole.topLeftCorner(m, m);
        if (!losses_.free_intercept) continue;
        cross_.block(c * m, l, m, 1) = cross_.block(l * m, c, m, 1) = whole.block(0, m, m, 1);
        of_b(c, l) = of_b(l, c) = whole(m, m);
      }
    }
    if (!losses_.free_intercept) return true;
    // what all intercepts have in common changes nothing
    of_b.array() += of_b.trace() / static_cast<double>(k_ * k_);
    // nor is anything known of the intercept of a class of which no row is in doubt
    constexpr double unknown = 1e-10;
    of_b.diagonal().array() += unknown * of_b.trace();
    if (!intercepts_.factor(std::move(of_b), run_)) return false;
    curvature -= cross_ * intercepts_.solve(cross_.transpose());
    return true;
  }

  // as in proximal_newton.h
  void damp(double t) {
    if (t < 0.3) {
      const Vec& norms = problem_.rows.column_norms(run_);
      const double mean = norms.squaredNorm() / static_cast<double>(norms.size());
      damping_ = damping_ > 0 ? 4 * damping_ : std::max(g_.l2, 1e-4 * mean);
    } else if (t > 0.6) {
      damping_ *= 0.15;
      if (damping_ < 0.1 * g_.l2) damping_ = 0;
    }
  }

  static constexpr double nearness = 0.3, sharpening = 0.2;
  // Of more coefficients than that the matrix of an l1 model costs more than it saves.
  static constexpr Index most_coefficients = 1500;

  const JointProblem& problem_;
  Run& run_;
  const ClassLosses& losses_;
  Index k_, p_;
  const ElasticNet g_;
  double mu_ = 1, inner_gap_ = 0, smoothing_ = 0, damping_ = 0;
  JointSolution s_;
  JointBest best_;
  RowMat z_, probabilities_;
  Mat u_;
  Vec drift_;
  std::optional<BalancedGap> balanced_;                // of a ridge
  std::optional<JointPreconditioner> preconditioner_;  // as this
  std::optional<WeightedGram> gram_;                   // with an l1 part
  Mat cross_;
  Cholesky intercepts_;
};

JointSolution joint_newton(const JointProblem& problem, const JointSolution& start, Run& run) {
  JointNewton method(problem, start, run);
  const auto look = [&] { return method.look(); };
  const auto certify = [&] { return method.certify(); };
  // before the gap falls in the end it may stand or rise, as the dual point is far from the primal
  run.be_patient(0.9);
  while (method.sparse() ? run.proceed(look, 0) : run.proceed(look, certify, 0)) {
    method.sharpen();
    if (!method.step()) break;
  }
  return std::move(method).solution();
}

}  // namespace dualmargin::linear
