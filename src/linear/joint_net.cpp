// Proximal Newton for the softmax loss of all classes with an l1 part: proximal_newton.h with the
// Hessian of joint_newton.cpp, on the columns in use or about to be. glmnet's multinomial model takes
// one class at a time, J. Friedman, T. Hastie and R. Tibshirani (2010), Journal of Statistical
// Software 33(1), 1-22, section 4; here what couples the classes is part of the step.
//
//   min_d  G^\top d + \frac12 d^\top H d + l1 |w + d|_1 + \frac{l2}2 |w + d|^2
//
// over the coefficients of all classes, with the free intercepts at their best: of the Hessian what
// is left without them, H_ww - H_wb H_bb^{-1} H_bw, and so of the gradient. l1_model.cpp solves it; the
// line search is exact. Columns of which no class has a coefficient, nor a slope near l1, stay out.
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "algebra/cholesky.h"
#include "algebra/line_search.h"
#include "algebra/normal_matrix.h"
#include "linear/joint_solvers.h"
#include "linear/l1_model.h"
#include "run/relay.h"

namespace dualmargin::linear {

namespace {

class JointProximalNewton {
 public:
  // Of more coefficients than that the matrix costs more than it saves.
  static constexpr Index most_coefficients = 1500;

  JointProximalNewton(const JointProblem& problem, const JointSolution& start, Run& run)
      : problem_(problem), run_(run), k_(problem.classes), gram_(problem.rows) {
    s_ = problem.begin(start, "newton");
    z_ = problem.scores(s_.w, s_.b, run);
    run.spend(0.5);
  }

  // With the probabilities as the dual point.
  Certificate certify() {
    probabilities_ = JointProblem::probabilities(z_);
    auto pull = problem_.pull(problem_.shares(probabilities_), run_);
    gradient_ = std::move(pull.v);
    drift_ = std::move(pull.drift);
    s_.u = probabilities_;
    run_.spend(1.5);
    const Certificate c = problem_.certify(s_, run_);
    best_.offer_primal(s_, c.value);
    best_.offer_dual(s_, c.bound);
    return c;
  }

  // false: there is no step down, no time for it, or too many columns.
  bool step() {
    columns_ = columns_in_use();
    const auto m = static_cast<Index>(columns_.size());
    if (m * k_ > most_coefficients || !build()) return false;
    Vec w(m * k_), u(m * k_), norm(m * k_);
    const Vec& norms = problem_.rows.column_norms(run_);
    for (Index c = 0; c < k_; ++c) {
      for (Index j = 0; j < m; ++j) {
        w[c * m + j] = s_.w(columns_[j], c);
        u[c * m + j] = gradient_(columns_[j], c);
        norm[c * m + j] = norms[columns_[j]];
      }
    }
    if (free()) u -= cross_ * intercepts_.solve(drift_);
    std::vector<Index> all(static_cast<std::size_t>(m * k_));
    std::iota(all.begin(), all.end(), Index{0});
    const NewtonModel model{w, u, 0, none_, problem_.space, damping_};
    const Direction d = l1_direction(std::move(curvature_), all, model, norm, run_);
    if (!d.finite() || !run_.in_time()) return false;
    return move(d.delta);
  }

  JointSolution solution() && { return best_of(problem_, best_, std::move(s_), run_); }

 private:
  bool free() const { return problem_.free_intercept; }

  std::vector<Index> columns_in_use() const {
    const Index p = problem_.dim();
    std::vector<Index> some;
    const bool all = p * k_ <= 200;
    for (Index j = 0; j < p; ++j) {
      const bool rests = s_.w.row(j).isZero(0) &&
                         gradient_.row(j).cwiseAbs().maxCoeff() <= 0.99 * problem_.space.l1;
      if (all || !rests) some.push_back(j);
    }
    return some;
  }

  // curvature_, cross_ and intercepts_ at the probabilities
  bool build() {
    const auto m = static_cast<Index>(columns_.size());
    gram_.restrict_to(columns_);
    curvature_ = Mat::Zero(m * k_, m * k_);
    cross_ = Mat::Zero(m * k_, k_);
    Mat of_b = Mat::Zero(k_, k_);
    for (Index c = 0; c < k_; ++c) {
      for (Index l = 0; l <= c; ++l) {
        const auto curve = [&](Index i) {
          return problem_.rows.share(i) * probabilities_(i, c) *
                 ((c == l ? 1.0 : 0.0) - probabilities_(i, l));
        };
        gram_.rebuild(RowVec::of(problem_.n(), curve), run_);
        run_.spend(1 / static_cast<double>(k_));
        if (!run_.in_time()) return false;
        const Mat whole = gram_.bordered(free(), 0.0).selfadjointView<Eigen::Lower>();
        curvature_.block(c * m, l * m, m, m) = whole.topLeftCorner(m, m);
        if (c != l) curvature_.block(l * m, c * m, m, m) = whole.topLeftCorner(m, m);
        if (!free()) continue;
        cross_.block(c * m, l, m, 1) = cross_.block(l * m, c, m, 1) = whole.block(0, m, m, 1);
        of_b(c, l) = of_b(l, c) = whole(m, m);
      }
    }
    if (!free()) return true;
    // what all intercepts have in common changes nothing
    of_b.array() += of_b.trace() / static_cast<double>(k_ * k_);
    // nor is anything known of the intercept of a class of which no row is in doubt
    of_b.diagonal().array() += 1e-10 * of_b.trace();
    if (!intercepts_.factor(std::move(of_b), run_)) return false;
    curvature_ -= cross_ * intercepts_.solve(cross_.transpose());
    return true;
  }

  bool move(const Vec& delta) {
    const auto m = static_cast<Index>(columns_.size());
    Mat dw = Mat::Zero(problem_.dim(), k_);
    for (Index c = 0; c < k_; ++c) {
      for (Index j = 0; j < m; ++j) dw(columns_[j], c) = delta[c * m + j];
    }
    Vec db = Vec::Zero(k_);
    if (free()) db = -intercepts_.solve(drift_ + cross_.transpose() * delta);
    if (!db.allFinite()) return false;
    const RowMat dz = problem_.scores(dw, db, run_);
    run_.spend(0.5);
    const ElasticNet& g = problem_.space;
    const auto along = [&](double t) {
      const auto [fall, bend] = problem_.losses_along(z_, dz, t, 1);
      double kinks = 0, smooth = 0;
      for (Index c = 0; c < k_; ++c) {
        for (const Index j : columns_) {
          const double d = dw(j, c), w = s_.w(j, c) + t * d;
          if (w == 0) kinks += g.l1 * std::abs(d);
          smooth += (g.l2 * w + g.l1 * (w > 0 ? 1.0 : w < 0 ? -1.0 : 0.0)) * d;
        }
      }
      const double middle = fall + smooth;
      return LineSlope{middle - kinks, middle + kinks, bend + g.l2 * dw.squaredNorm()};
    };
    const double t = exact_step(along(0).right, along);
    damp(t);
    if (t == 0) return false;
    s_.w += t * dw;
    s_.b += t * db;
    z_.add(t, dz);
    run_.count_step();
    return true;
  }
  // as in proximal_newton.h
  void damp(double t) {
    if (t < 0.3) {
      const Vec& norms = problem_.rows.column_norms(run_);
      const double mean = norms.squaredNorm() / static_cast<double>(norms.size());
      damping_ = damping_ > 0 ? 4 * damping_ : std::max(problem_.space.l2, 1e-4 * mean);
    } else if (t > 0.6) {
      damping_ *= 0.15;
      if (damping_ < 0.1 * problem_.space.l2) damping_ = 0;
    }
  }

  const JointProblem& problem_;
  Run& run_;
  Index k_;
  WeightedGram gram_;
  std::vector<Index> columns_;
  const RowVec none_;
  double damping_ = 0;
  JointSolution s_;
  JointBest best_;
  RowMat z_, probabilities_;
  Mat gradient_, curvature_, cross_;  // gradient_: of the losses
  Vec drift_;
  Cholesky intercepts_;
};

JointSolution joint_proximal_newton(const JointProblem& problem, const JointSolution& start,
                                    Run& run) {
  JointProximalNewton method(problem, start, run);
  run.be_patient(0.9);
  while (run.proceed([&] { return method.certify(); }, 0)) {
    if (!method.step()) break;
  }
  return std::move(method).solution();
}

}  // namespace

JointSolution joint_net(const JointProblem& problem, bool choose, const JointSolution& start,
                        Run& run) {
  const bool small = problem.dim() * problem.classes <= 200;
  StopRule promising;
  promising.trial = 20;
  promising.worth = 100;
  const auto fista = [&](const JointSolution& s) { return joint_fista(problem, true, s, run); };
  const auto newton = [&](const JointSolution& s) {
    return joint_proximal_newton(problem, s, run);
  };
  const auto pays = [=](const JointSolution&) { return choose && !small; };
  const std::vector<Stage<JointSolution>> stages{
      {promising, fista, pays}, {StopRule(), newton}, {StopRule(), fista}};
  return relay(start, stages, run, [&](JointSolution before, JointSolution after) {
    return best_of(problem, std::move(before), std::move(after), run.tick());
  });
}

}  // namespace dualmargin::linear
