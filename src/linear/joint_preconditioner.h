// The Hessian of a smoothed problem of all classes, or what can be inverted in its place:
//
//   \lambda I + \frac1{W \mu} \sum_i \omega_i (diag(p_i) - p_i p_i^\top) \otimes x_i x_i^\top
//
// At first with the mean of the rows' matrices diag(p_i) - p_i p_i^\top, C, for all of them: that
// is C \otimes G + \lambda I with one Gram matrix G, a system of p columns for each eigenvector of
// C, and exact while the rows have the same probabilities. Once the steps of conjugate gradients
// that were taken with it have cost as much as what follows, as one matrix where that is small;
// without what couples the classes, a matrix for each; or its diagonal. Of these each takes the
// place of the one before where that is too large, or singular in double precision. Vectors have
// the weights of a class, and its intercept where that is free, beside one another, and sum to zero
// over the classes.
#pragma once

#include <Eigen/Eigenvalues>
#include <utility>
#include <vector>

#include "algebra/normal_matrix.h"
#include "linear/cost_model.h"
#include "linear/joint_problem.h"
#include "run/run.h"

namespace dualmargin::linear {

template <class Problem>
class JointPreconditioner {
 public:
  explicit JointPreconditioner(const Problem& problem)
      : problem_(problem),
        k_(problem.classes),
        width_(problem.dim() + (problem.free_intercept ? 1 : 0)) {
    const double size = static_cast<double>(width_), k = static_cast<double>(k_);
    const double nonzeros = problem.rows.nonzeros();
    next_ = k * size <= cost::joint_size ? Kind::whole
            : cost::factor_pays(size, nonzeros) && size * size * k <= cost::joint_entries
                ? Kind::classes
                : Kind::diagonal;
    kind_ = next_ == Kind::diagonal ? next_ : Kind::level;
    // in products of the Hessian with a vector, which are two passes for each class
    const double gram = size / 4;
    worth_ = next_ == Kind::whole ? gram * (k + 1) / 2 : gram;
    for (Index c = 0; c < k_ && kind_ != Kind::diagonal; ++c) grams_.emplace_back(problem.rows);
  }

  // What steps of conjugate gradients are worth: how far they lower r' H^{-1} r.
  double accuracy() const { return kind_ == Kind::level || kind_ == Kind::whole ? 1e-4 : 1e-2; }

  // So many products of the Hessian were taken with it.
  void used(int products) {
    if (kind_ == Kind::level && (worth_ -= products) < 0) kind_ = next_;
  }

  // At these probabilities; false: the time is over.
  bool build(const RowMat& p, double mu, Run& run) {
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

  // About the inverse of the Hessian, times r.
  Vec operator()(const Vec& r) const {
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

 private:
  enum class Kind { level, whole, classes, diagonal };

  static Mat centred(const Mat& x) { return x.colwise() - x.rowwise().mean(); }

  // omega_i p_ic (1 - p_ic) / (W mu), or for two classes -omega_i p_ic p_il / (W mu)
  RowVec curvature(const RowMat& p, double mu, Index c) const {
    return RowVec::of(
        p.size(), [&](Index i) { return problem_.rows.share(i) * p(i, c) * (1 - p(i, c)) / mu; });
  }
  RowVec coupling(const RowMat& p, double mu, Index c, Index l) const {
    return RowVec::of(p.size(),
                      [&](Index i) { return -problem_.rows.share(i) * p(i, c) * p(i, l) / mu; });
  }

  bool build_level(const RowMat& p, double mu, Run& run) {
    const Eigen::SelfAdjointEigenSolver<Mat> eigen(mean_curvature(p, mu));
    directions_ = eigen.eigenvectors();
    const RowVec shares = problem_.rows.weights / problem_.rows.total_weight;
    run.spend(grams_[0].update(shares, run) / static_cast<double>(k_));
    if (!run.in_time()) return false;
    factors_.assign(k_, Cholesky());
    const auto raise = [](Mat& A, double share) { A.diagonal().array() *= 1 + share; };
    for (Index j = 1; j < k_; ++j) {
      const double strength = eigen.eigenvalues()[j];
      if (!(strength > 0)) return false;
      Mat A = grams_[0].bordered(problem_.free_intercept, problem_.space.l2 / strength);
      A.triangularView<Eigen::Lower>() *= strength;
      if (!factors_[j].factor(std::move(A), {0.0, 1e-12, 1e-9}, raise, run)) return false;
    }
    return true;
  }

  // C, of which the solver reads the lower triangle.
  Mat mean_curvature(const RowMat& p, double mu) const {
    std::vector<std::pair<Index, Index>> place;
    for (Index l = 0; l < k_; ++l) {
      for (Index c = l; c < k_; ++c) place.emplace_back(c, l);
    }
    const Vec entry = sums(problem_.rows, static_cast<Index>(place.size()), [&](Index i, Index e) {
      const auto [c, l] = place[e];
      return problem_.rows.share(i) / mu * p(i, c) * (c == l ? 1 - p(i, c) : -p(i, l));
    });
    Mat C = Mat::Zero(k_, k_);
    for (std::size_t e = 0; e < place.size(); ++e) C(place[e].first, place[e].second) = entry[e];
    return C;
  }

  // Rows without curvature cost nothing. What all classes have in common, which no vector has, is
  // made definite.
  bool build_whole(const RowMat& p, double mu, Run& run) {
    const bool free = problem_.free_intercept;
    const Index n = problem_.dim();
    Mat A = Mat::Zero(width_ * k_, width_ * k_);
    double level = 0;
    for (Index c = 0; c < k_; ++c) {
      for (Index l = 0; l <= c; ++l) {
        RowVec h = c == l ? curvature(p, mu, c) : coupling(p, mu, c, l);
        const double most = problem_.rows.max([&](Index i) { return std::abs(h[i]); });
        h = each(h, [most](double x) { return std::abs(x) > 1e-14 * most ? x : 0.0; });
        auto& gram = grams_[0];
        gram.rebuild(h, run);
        const double some = problem_.rows.sum([&](Index i) { return h[i] != 0 ? 1.0 : 0.0; });
        run.spend(some / (problem_.rows.count() * static_cast<double>(k_)));
        if (!run.in_time()) return false;
        const Mat block = gram.bordered(free, c == l ? problem_.space.l2 : 0.0)
                              .template selfadjointView<Eigen::Lower>();
        if (c == l && free) level += block(n, n) / static_cast<double>(k_);
        A.block(c * width_, l * width_, width_, width_) = block;
      }
    }
    if (free) {
      for (Index c = 0; c < k_; ++c) {
        for (Index l = 0; l <= c; ++l) A(c * width_ + n, l * width_ + n) += level;
      }
    }
    const auto raise = [&](Mat& B, double share) { B.diagonal().array() *= 1 + share; };
    factors_.assign(1, Cholesky());
    return factors_[0].factor(std::move(A), {0.0, 1e-12, 1e-9}, raise, run);
  }

  bool build_classes(const RowMat& p, double mu, Run& run) {
    const Index n = problem_.dim();
    const auto raise = [&](Mat& A, double share) {
      if (problem_.free_intercept) A(n, n) = A(n, n) > 0 ? A(n, n) * (1 + share) : 1.0;
    };
    factors_.assign(k_, Cholesky());
    for (Index c = 0; c < k_; ++c) {
      run.spend(grams_[c].update(curvature(p, mu, c), run) / static_cast<double>(k_));
      if (!run.in_time()) return false;
      Mat A = grams_[c].bordered(problem_.free_intercept, problem_.space.l2);
      if (!factors_[c].factor(std::move(A), {1e-12, 1e-8, 1e-4}, raise, run)) return false;
    }
    return true;
  }

  void build_diagonal(const RowMat& p, double mu, Run& run) {
    diagonal_.resize(width_, k_);
    for (Index c = 0; c < k_; ++c) {
      const RowVec h = curvature(p, mu, c);
      diagonal_.col(c).head(problem_.dim()) =
          problem_.rows.column_squares(h, run).array() + problem_.space.l2;
      if (!problem_.free_intercept) continue;
      const double total = problem_.rows.sum([&](Index i) { return h[i]; });
      diagonal_(problem_.dim(), c) = std::max(total, 1e-300);
    }
    run.spend(0.5);
  }

  const Problem& problem_;
  Index k_, width_;
  Kind kind_, next_;
  double worth_;
  Mat directions_;
  std::vector<WeightedGram> grams_;
  std::vector<Cholesky> factors_;
  Mat diagonal_;
};

}  // namespace dualmargin::linear
