// Dual extrapolation: M. Massias, A. Gramfort and J. Salmon (2018), "Celer: a fast solver for the
// Lasso with dual extrapolation", ICML, arXiv:1802.07481, definition 1.
//
// The scores of successive iterates behave like a vector autoregressive sequence once the support
// has settled; a combination of the last K of them, with weights that sum to one and make the
// combined step shortest, is far nearer to the limit than the last. The dual point is the slope at
// the combined scores and hence always in the domain of phi^*: for the squared loss this is the
// paper's combination of residuals, for other losses that of M. Massias, S. Vaiter, A. Gramfort and
// J. Salmon (2020), Journal of Machine Learning Research 21(234), section 3.
#pragma once

#include <Eigen/Cholesky>
#include <deque>

#include "base/numeric.h"

namespace dualmargin::linear {

class DualExtrapolation {
 public:
  void push(const Vec& scores) {
    last_.push_back(scores);
    if (last_.size() > memory + 1) last_.pop_front();
  }

  // Writes the combined scores; false: too few of them, or nothing moved.
  bool combine(Vec& scores) const {
    if (last_.size() <= memory) return false;
    const Index K = static_cast<Index>(memory);
    Mat U(last_[0].size(), K);
    for (Index k = 0; k < K; ++k) U.col(k) = last_[k + 1] - last_[k];
    Mat G = U.transpose() * U;
    const double size = G.diagonal().maxCoeff();
    if (!(size > 0) || !std::isfinite(size)) return false;
    G.diagonal().array() += 1e-14 * size;  // successive steps are nearly parallel
    const Eigen::LDLT<Mat> factor(G);
    if (factor.info() != Eigen::Success) return false;
    const Vec weights = factor.solve(Vec::Ones(K));
    const double total = weights.sum();
    if (!(std::abs(total) > 0) || !weights.allFinite()) return false;
    scores = Vec::Zero(U.rows());
    for (Index k = 0; k < K; ++k) scores += weights[k] / total * last_[k + 1];
    return scores.allFinite();
  }

 private:
  static constexpr std::size_t memory = 5;  // the paper's K
  std::deque<Vec> last_;
};

}  // namespace dualmargin::linear
