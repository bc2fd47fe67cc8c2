// Newton's method for the softmax problem, in the coefficients of the expansions. C. E. Rasmussen
// and C. K. I. Williams (2006), Gaussian Processes for Machine Learning, MIT Press, Algorithm 3.3;
// rows have weights here, and the step is followed by an exact line search.
//
//   min_\beta  P(f),   f_c = K \beta_c,   P as in softmax_losses.h
//
// With s_i = \omega_i / (W \lambda) and p_i the probabilities at f_i, the curvature of the losses
// is H = D - D R S^{-1} R' D: D the diagonal of the s_i p_{ic}, R the sum over the classes, S that
// of the s_i. A full step leads to
//
//   \beta = b - (K + H^+)^{-1} K b,   b = H f + s (t - p),
//   (K + H^+)^{-1} = E - E R (R' E R)^{-1} R' E,
//   E_c = D_c^{1/2} (I + D_c^{1/2} K D_c^{1/2})^{-1} D_c^{1/2},
//
// matrices of rows x rows, one for each class. A row of weight zero has none in E; in R' E R it
// gets a one, so that there is an inverse. Free intercepts move by the \delta with which the
// coefficients of each class sum to zero: with G = (K + H^+)^{-1} and U the constants of the classes
//
//   \beta = b - G (K b + U \delta),   U' G U \delta = U' (b - G K b).
#include <utility>
#include <vector>

#include "algebra/cholesky.h"
#include "kernel/newton.h"
#include "kernel/solvers.h"
#include "loss/class_intercepts.h"

namespace dualmargin::kernel {

namespace {

// strength: s; f, intercepts: at which it is.
FullStep<Mat> softmax_target(const SoftmaxLosses& losses, const Mat& K, const Vec& strength,
                             const Mat& f, const Vec& intercepts, Tick& tick) {
  const Index n = f.rows(), k = f.cols();
  const Mat p = losses.slopes(raised(f, intercepts)), each = p.cwiseProduct(f);
  const Vec mean = each.rowwise().sum();
  Mat b = strength.asDiagonal() * (each - mean.asDiagonal() * p + losses.share - p);
  std::vector<Mat> E(k);
  Mat sum = Mat::Zero(n, n), c(n, k);
  Cholesky factor;
  for (Index j = 0; j < k; ++j) {
    const Vec root = strength.cwiseProduct(p.col(j)).cwiseSqrt();
    Mat A = root.asDiagonal() * K * root.asDiagonal();
    A.diagonal().array() += 1;
    if (!factor.factor(std::move(A), tick)) return {};
    const Mat inverse = factor.inverse(tick);
    if (inverse.size() == 0) return {};
    E[j] = root.asDiagonal() * inverse * root.asDiagonal();
    sum += E[j];
    c.col(j) = E[j] * (K * b.col(j));
  }
  sum.diagonal() += (strength.array() == 0).cast<double>().matrix();
  if (!factor.factor(std::move(sum), tick)) return {};
  const Vec shift = factor.solve(c.rowwise().sum());
  for (Index j = 0; j < k; ++j) b.col(j) += E[j] * shift - c.col(j);
  Vec delta = Vec::Zero(k);
  if (losses.free_intercept) {
    Mat e(n, k), solved(n, k);  // E U, and (R' E R)^{-1} of that
    for (Index j = 0; j < k; ++j) e.col(j) = E[j].rowwise().sum();
    for (Index j = 0; j < k; ++j) solved.col(j) = factor.solve(e.col(j));
    Mat A = -(e.transpose() * solved);
    A.diagonal() += e.colwise().sum().transpose();
    delta = class_step(std::move(A), b.colwise().sum().transpose());
    const Vec moved = solved * delta;
    for (Index j = 0; j < k; ++j) b.col(j) += E[j] * moved - delta[j] * e.col(j);
  }
  // measured beside the epochs of block_sdca.cpp
  return {b, delta, 4 + static_cast<double>(n) / 12};
}

}  // namespace

SoftmaxSolution newton(const SoftmaxProblem& problem, const SoftmaxSolution& start, Run& run) {
  const SoftmaxLosses& losses = problem.losses;
  const Vec strength = losses.omega.local() / (losses.total_weight * problem.space.lambda());
  Mat K = Mat::Zero(problem.n(), problem.n());
  for (Index i = 0; i < problem.n(); ++i) {
    problem.x().axpy(i, 1, Eigen::Map<Vec>(K.col(i).data(), problem.n()));
    if (!run.tick().poll()) break;  // and no step is made
  }
  return newton_method(
      problem, start,
      [&](const Mat& f, const Vec& b, Tick& tick) {
        return softmax_target(losses, K, strength, f, b, tick);
      },
      run);
}

}  // namespace dualmargin::kernel
