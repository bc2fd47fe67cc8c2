// L-BFGS for the softmax loss of all classes, as lbfgs.cpp for one score: in the metric of a Hessian,
// with exact steps on cached scores.
//
//   min_w  min_b (1/W) sum_i omega_i phi(z_i; y_i) + l2/2 |w|^2,   z_i = w'x_i + b
//
//   p      the probabilities at z;  drift  sum omega_i (p_i - e_{y_i}) / W, 0 at the best b
//   g      (1/W) sum omega_i x_i (p_i - e_{y_i})' + l2 w, and |g|^2 / (2 l2) is the gap there; next to
//          it that of balanced_gap.h
//   d      -H g by the pairs, m_i = d'x_i + d_b, and d_b Newton's step of b beside d:
//            (sum omega_i (diag(p_i) - p_i p_i') / W) d_b
//              = -drift - sum omega_i (diag(p_i) - p_i p_i') d'x_i / W
//
// H begins as the inverse of joint_preconditioner.h, with one Gram matrix for all classes, and then with
// one for each: the whole Hessian, of which there are k / 2 times as many, saves fewer steps than it
// costs.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "linear/balanced_gap.h"
#include "linear/joint_preconditioner.h"
#include "linear/joint_solvers.h"
#include "linear/quasi_newton.h"
#include "loss/class_intercepts.h"

namespace dualmargin::linear {

namespace {

Eigen::Map<const Vec> listed(const Mat& w) { return {w.data(), w.size()}; }

// Of the weights, with free intercepts at their best.
class WeightsInverse {
 public:
  WeightsInverse(JointPreconditioner inverse, Index p, Index classes, bool free)
      : inverse_(std::move(inverse)), p_(p), classes_(classes), free_(free) {}
  Vec solve(const Vec& g) const {
    if (!free_) return inverse_(g);
    Mat all = Mat::Zero(p_ + 1, classes_);
    all.topRows(p_) = Eigen::Map<const Mat>(g.data(), p_, classes_);
    const Vec d = inverse_(listed(all));
    return listed(Mat(Eigen::Map<const Mat>(d.data(), p_ + 1, classes_).topRows(p_)));
  }

 private:
  JointPreconditioner inverse_;
  Index p_, classes_;
  bool free_;
};
// What is known at a point.
class JointDescent {
 public:
  using Inverse = WeightsInverse;
  static constexpr std::size_t steps_of_rate = 3;

  // price: of a Gram matrix for each class
  JointDescent(const JointProblem& problem, double price, double share, Run& run)
      : problem_(problem),
        run_(run),
        losses_(problem.losses),
        k_(losses_.classes()),
        l2_(problem.penalty.l2),
        price_(price),
        share_(share),
        balanced_(problem, run.tick()) {
    if (losses_.free_intercept) run.spend(0.5 * share);
  }

  static bool samples(const JointProblem&, double) { return true; }
  static void solve_part(const JointProblem& problem, const Rows& sample, const RowChoice& some,
                         FunctionRef<void(const JointProblem&)> solve) {
    std::vector<Index> y;
    for (const Index i : some.id) y.push_back(problem.losses.y[i]);
    const JointProblem part(sample, y, problem.losses.held, problem.penalty,
                            problem.losses.free_intercept);
    if (part.losses.shares.minCoeff() > 0) solve(part);
  }

  void start(const JointPrimal& p) {
    constexpr double accuracy = 1e-6;
    at_.w = p.w;
    at_.b = p.b;
    if (!losses_.free_intercept) at_.b.setZero();
    at_.z = p.w.isZero(0) ? RowMat::zero(problem_.n(), k_) : problem_.multiply(p.w, run_);
    at_.z = std::move(at_.z) + at_.b;
    p_ = losses_.slopes(at_.z);
    settle(accuracy, Mat());
  }
  const ScoredPrimalOf<RowMat>& primal() const { return at_; }
  Certificate certify(JointDual& d) const {
    d.a = p_;
    return problem_.told(at_, d, Certificate(value_, gap_));
  }
  double value() const { return value_; }
  double gap() const { return gap_; }
  double price() const { return renewed_ ? price_ : price_ / static_cast<double>(k_); }
  double steps_after(double ratio) const { return 3 + std::log10(std::max(ratio, 1.0)); }

  void renew(Metric<WeightsInverse>& metric) {
    JointPreconditioner inverse(problem_, share_);
    if (renewed_ && !inverse.separate()) return;
    renewed_ = true;
    if (!inverse.build(p_, 1, run_)) return;
    metric.renew(WeightsInverse(std::move(inverse), problem_.dim(), k_, losses_.free_intercept));
  }

  void step(Metric<WeightsInverse>& metric) {
    const Vec d = -metric.times(listed(g_));
    const Mat dw = Eigen::Map<const Mat>(d.data(), problem_.dim(), k_);
    RowMat m = problem_.multiply(dw, run_);
    Vec db = Vec::Zero(k_);
    Mat bend;
    if (losses_.free_intercept) {
      bend = losses_.bend(p_);
      const RowVec mean = RowVec::of(m.size(), [&](Index i) { return p_[i].dot(m[i]); });
      const auto pull = [&](Index i, Index c) {
        return losses_.share(i) * p_(i, c) * (mean[i] - m(i, c));
      };
      db = class_step(bend, sums(problem_.rows, k_, pull) - balanced_.drift());
      m = std::move(m) + db;
    }
    const double t = exact_step(dw, db, m);
    at_.w += t * dw;
    at_.b += t * db;
    at_.z.add(t, m);
    const Mat last = g_;
    settle(gap_, std::move(bend));
    metric.learn(t * d, listed(g_) - listed(last));
    run_.count_step();
  }

 private:
  // From p_ at z: b as good as a point of such a gap asks for, and g there. bend: of losses at about z
  void settle(double gap, Mat bend) {
    if (losses_.free_intercept) {
      const double tolerance = std::max(same_mass, 0.01 * std::min(gap, 1.0));
      Vec shift = Vec::Zero(k_);
      best_class_intercepts(
          losses_.shares, shift, p_, [&](const Vec& b) { return losses_.slopes(at_.z + b); },
          [&](const RowMat& p) { return losses_.mean(p); },
          [&](const RowMat& p) { return losses_.bend(p); }, tolerance, std::move(bend));
      at_.b += shift;
      at_.z = std::move(at_.z) + shift;
    }
    g_ = l2_ * at_.w;
    for (Index c = 0; c < k_; ++c) {
      const auto slope = [&](Index i) {
        return losses_.share(i) * (p_(i, c) - (c == losses_.y[i] ? 1 : 0));
      };
      g_.col(c) += problem_.rows.transpose_multiply(RowVec::of(problem_.n(), slope), run_);
    }
    run_.spend(share_);
    const double losses = problem_.rows.sum([&](Index i) {
      const Index y = losses_.y[i];
      const double own = p_(i, y) > 0 ? -std::log(p_(i, y)) : losses_.loss.value(at_.z.at(i), y);
      return losses_.share(i) * own;
    });
    value_ = losses + l2_ / 2 * at_.w.squaredNorm();
    gap_ = balanced_.at(at_.w, at_.z, p_, losses, g_).gap;
  }

  // p_ is then that there.
  double exact_step(const Mat& dw, const Vec& db, const RowMat& m) {
    const double fall = -listed(g_).dot(listed(dw)) - balanced_.drift().dot(db);
    const double rise = l2_ * listed(at_.w).dot(listed(dw)), bend = l2_ * dw.squaredNorm();
    if (!(fall > 0)) return 0;
    const double curvature = problem_.rows.sum([&](Index i) {
      const double mean = p_[i].dot(m[i]);
      return losses_.share(i) * (p_[i].dot(m[i].cwiseAbs2()) - mean * mean);
    });
    return step_along(fall, fall / (curvature + bend), [&](double t) {
      const auto [slope, curve] = losses_.along(at_.z, m, t, 1, p_);
      return std::array<double, 2>{slope + rise + t * bend, curve + bend};
    });
  }

  const JointProblem& problem_;
  Run& run_;
  const ClassLosses& losses_;
  Index k_;
  double l2_, price_, share_;
  bool renewed_ = false;
  ScoredPrimalOf<RowMat> at_;
  RowMat p_;
  Mat g_;
  BalancedGap balanced_;
  double value_ = 0, gap_ = 0;
};

}  // namespace

JointSolution joint_lbfgs(const JointProblem& problem, const JointSolution& start, Sampler* sampler,
                          Run& run) {
  return descend_from<JointDescent>(problem, start, sampler, run);
}

}  // namespace dualmargin::linear
