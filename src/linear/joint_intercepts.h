// The best free intercepts of scores of all classes, for the softmax loss, where rows may lie
// anywhere.
#pragma once

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
    best_class_intercepts(
        target_, b, u, [&](const Vec& to) { return at(z, to); },
        [&](const RowMat& p) { return mass_of(p); }, [&](const RowMat& p) { return bend_of(p); });
  }

 private:
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
  Mat bend_of(const RowMat& u) const {
    const Vec entry = sums(problem_.rows, static_cast<Index>(place_.size()), [&](Index i, Index e) {
      const auto [c, l] = place_[e];
      return problem_.rows.share(i) * u(i, c) * ((c == l ? 1.0 : 0.0) - u(i, l));
    });
    Mat H(k_, k_);
    for (std::size_t e = 0; e < place_.size(); ++e) {
      const auto [c, l] = place_[e];
      H(c, l) = H(l, c) = entry[e];
    }
    return H;
  }

  const Problem& problem_;
  Index k_;
  Vec target_;
  std::vector<std::pair<Index, Index>> place_;
};

}  // namespace dualmargin::linear
