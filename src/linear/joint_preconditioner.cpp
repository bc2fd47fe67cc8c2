#include "linear/joint_preconditioner.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <utility>

#include "base/rounding.h"
#include "linear/cost_model.h"

namespace dualmargin::linear {

JointPreconditioner::JointPreconditioner(const JointProblem& problem, double share)
    : losses_(problem.losses),
      rows_(problem.rows),
      k_(losses_.classes()),
      free_(losses_.free_intercept),
      l2_(problem.penalty.l2),
      share_(share),
      width_(rows_.dim() + (free_ ? 1 : 0)) {
  const double size = static_cast<double>(width_), k = static_cast<double>(k_);
  const double nonzeros = rows_.nonzeros();
  next_ = k * size <= cost::joint_size ? Kind::whole
          : cost::factor_pays(size, nonzeros) && size * size * k <= cost::joint_entries
              ? Kind::classes
              : Kind::diagonal;
  kind_ = next_ == Kind::diagonal ? next_ : Kind::level;
  // in products of the Hessian with a vector, which are two passes for each class
  const double gram = size / 4;
  worth_ = next_ == Kind::whole ? gram * (k + 1) / 2 : gram;
  for (Index c = 0; c < k_ && kind_ != Kind::diagonal; ++c) grams_.emplace_back(rows_);
}

void JointPreconditioner::used(int products) {
  if (kind_ == Kind::level && (worth_ -= products) < 0) kind_ = next_;
}

bool JointPreconditioner::build(const RowMat& p, double mu, Run& run) {
  while (kind_ != Kind::diagonal) {
    if (kind_ == Kind::level   ? build_level(p, mu, run)
        : kind_ == Kind::whole ? build_whole(p, mu, run)
                               : build_classes(p, mu, run)) {
      return true;
    }
    if (!run.in_time()) return false;
    kind_ = kind_ == Kind::level ? next_ : kind_ == Kind::whole ? Kind::classes : Kind::diagonal;
  }
  build_diagonal(p, mu, run);
  return run.in_time();
}

Vec JointPreconditioner::operator()(const Vec& r) const {
  Mat x = centred(Eigen::Map<const Mat>(r.data(), width_, k_));
  if (kind_ == Kind::whole) {
    const Vec all = factors_[0].solve(Eigen::Map<const Vec>(x.data(), x.size()));
    x = Eigen::Map<const Mat>(all.data(), width_, k_);
  }
  if (kind_ == Kind::level) {
    // what all classes have in common, the first eigenvector, is not there
    Mat y = x * directions_;
    y.col(0).setZero();
    for (Index j = 1; j < k_; ++j) y.col(j) = factors_[j].solve(y.col(j));
    x = y * directions_.transpose();
  }
  for (Index c = 0; c < k_ && kind_ == Kind::classes; ++c) x.col(c) = factors_[c].solve(x.col(c));
  if (kind_ == Kind::diagonal) x.array() /= diagonal_.array();
  x = centred(x);
  return Eigen::Map<const Vec>(x.data(), x.size());
}

RowVec JointPreconditioner::curvature(const RowMat& p, double mu, Index c) const {
  return RowVec::of(p.size(),
                    [&](Index i) { return rows_.share(i) * p(i, c) * (1 - p(i, c)) / mu; });
}

RowVec JointPreconditioner::coupling(const RowMat& p, double mu, Index c, Index l) const {
  return RowVec::of(p.size(), [&](Index i) { return -rows_.share(i) * p(i, c) * p(i, l) / mu; });
}

bool JointPreconditioner::build_level(const RowMat& p, double mu, Run& run) {
  const Eigen::SelfAdjointEigenSolver<Mat> eigen(losses_.bend(p) / mu);
  directions_ = eigen.eigenvectors();
  const RowVec shares = rows_.weights / rows_.total_weight;
  run.spend(share_ * grams_[0].update(shares, run) / static_cast<double>(k_));
  if (!run.in_time()) return false;
  factors_.assign(k_, Cholesky());
  const auto raise = [](Mat& A, double share) { A.diagonal().array() *= 1 + share; };
  for (Index j = 1; j < k_; ++j) {
    const double strength = eigen.eigenvalues()[j];
    if (!(strength > 0)) return false;
    Mat A = grams_[0].bordered(free_, l2_ / strength);
    A.triangularView<Eigen::Lower>() *= strength;
    if (!factors_[j].factor(std::move(A), if_singular, raise, run)) return false;
  }
  return true;
}

bool JointPreconditioner::build_whole(const RowMat& p, double mu, Run& run) {
  const Index n = rows_.dim();
  Mat A = Mat::Zero(width_ * k_, width_ * k_);
  double level = 0;
  for (Index c = 0; c < k_; ++c) {
    for (Index l = 0; l <= c; ++l) {
      RowVec h = c == l ? curvature(p, mu, c) : coupling(p, mu, c, l);
      const double most = rows_.max([&](Index i) { return std::abs(h[i]); });
      h = each(h, [most](double x) { return std::abs(x) > rounding::dust * most ? x : 0.0; });
      auto& gram = grams_[0];
      gram.rebuild(h, run);
      const double some = rows_.sum([&](Index i) { return h[i] != 0 ? 1.0 : 0.0; });
      run.spend(share_ * some / (rows_.count() * static_cast<double>(k_)));
      if (!run.in_time()) return false;
      const Mat block = gram.bordered(free_, c == l ? l2_ : 0.0).selfadjointView<Eigen::Lower>();
      if (c == l && free_) level += block(n, n) / static_cast<double>(k_);
      A.block(c * width_, l * width_, width_, width_) = block;
    }
  }
  if (free_) {
    for (Index c = 0; c < k_; ++c) {
      for (Index l = 0; l <= c; ++l) A(c * width_ + n, l * width_ + n) += level;
    }
  }
  const auto raise = [&](Mat& B, double share) { B.diagonal().array() *= 1 + share; };
  factors_.assign(1, Cholesky());
  return factors_[0].factor(std::move(A), if_singular, raise, run);
}

bool JointPreconditioner::build_classes(const RowMat& p, double mu, Run& run) {
  const Index n = rows_.dim();
  const auto raise = [&](Mat& A, double share) {
    if (free_) A(n, n) = A(n, n) > 0 ? A(n, n) * (1 + share) : 1.0;
  };
  factors_.assign(k_, Cholesky());
  for (Index c = 0; c < k_; ++c) {
    run.spend(share_ * grams_[c].update(curvature(p, mu, c), run) / static_cast<double>(k_));
    if (!run.in_time()) return false;
    Mat A = grams_[c].bordered(free_, l2_);
    if (!factors_[c].factor(std::move(A), beside_updates, raise, run)) return false;
  }
  return true;
}

void JointPreconditioner::build_diagonal(const RowMat& p, double mu, Run& run) {
  diagonal_.resize(width_, k_);
  for (Index c = 0; c < k_; ++c) {
    const RowVec h = curvature(p, mu, c);
    diagonal_.col(c).head(rows_.dim()) = rows_.column_squares(h, run).array() + l2_;
    if (!free_) continue;
    const double total = rows_.sum([&](Index i) { return h[i]; });
    diagonal_(rows_.dim(), c) = std::max(total, 1e-300);
  }
  run.spend(share_ / 2);
}

}  // namespace dualmargin::linear
