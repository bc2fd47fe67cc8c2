// The best free intercepts of scores of all classes, for the softmax loss:
//
//   min_b  \frac1W \sum_i \omega_i \phi(z_i + b; y_i)
//
// by Newton's method. Where a step does not bring the mean probabilities nearer to the shares of the
// classes, each b_c moves by the logarithm of what is missing, which does.
#pragma once

#include <Eigen/Cholesky>
#include <utility>
#include <vector>

#include "linear/joint_problem.h"

namespace dualmargin::linear {

template <class Problem>
class JointIntercepts {
 public:
  explicit JointIntercepts(const Problem& problem)
      : problem_(problem), k_(problem.classes), target_(problem.class_shares()) {
    for (Index l = 0; l < k_; ++l) {
      for (Index c = l; c < k_; ++c) place_.emplace_back(c, l);
    }
  }

  // b is where it begins; u becomes the probabilities of z + b.
  void best(const RowMat& z, Vec& b, RowMat& u) const {
    u = at(z, b);
    if (!problem_.free_intercept) return;
    Vec mass = mass_of(u);
    for (int step = 0; step < most_steps; ++step) {
      const double off = (mass - target_).cwiseAbs().maxCoeff();
      if (!(off > enough)) return;
      Vec next = b + newton(u, mass);
      RowMat there = at(z, next);
      Vec mass_there = mass_of(there);
      if (!((mass_there - target_).cwiseAbs().maxCoeff() < off / 2)) {
        next = b + (target_.array() / mass.array()).log().matrix();
        there = at(z, next);
        mass_there = mass_of(there);
        if (!next.allFinite() ||
            !((mass_there - target_).cwiseAbs().sum() < (mass - target_).cwiseAbs().sum())) {
          return;
        }
      }
      b = std::move(next);
      u = std::move(there);
      mass = std::move(mass_there);
    }
  }

 private:
  static constexpr int most_steps = 50;
  static constexpr double enough = 1e-15;

  RowMat at(RowMat z, const Vec& b) const {
    if (problem_.free_intercept) {
      for (Index i = 0; i < z.size(); ++i) z[i] += b;
    }
    return Problem::probabilities(std::move(z));
  }
  Vec mass_of(const RowMat& u) const {
    return sums(problem_.rows, k_,
                [&](Index i, Index c) { return problem_.rows.share(i) * u(i, c); });
  }
  // Moving all by one number changes nothing: the matrix is made regular in that direction.
  Vec newton(const RowMat& u, const Vec& mass) const {
    const Vec entry = sums(problem_.rows, static_cast<Index>(place_.size()), [&](Index i, Index e) {
      const auto [c, l] = place_[e];
      return problem_.rows.share(i) * u(i, c) * ((c == l ? 1.0 : 0.0) - u(i, l));
    });
    Mat H(k_, k_);
    for (std::size_t e = 0; e < place_.size(); ++e) {
      const auto [c, l] = place_[e];
      H(c, l) = H(l, c) = entry[e];
    }
    H.array() += H.trace() / static_cast<double>(k_ * k_);
    return H.ldlt().solve(target_ - mass);
  }

  const Problem& problem_;
  Index k_;
  Vec target_;
  std::vector<std::pair<Index, Index>> place_;
};

}  // namespace dualmargin::linear
