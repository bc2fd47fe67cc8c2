// Stochastic gradient descent in the space of the kernel, a baseline.
// J. Kivinen, A. J. Smola, R. C. Williamson (2004), Online learning with kernels, IEEE Transactions
// on Signal Processing 52, 2165-2176, doi:10.1109/TSP.2004.830991, with the fixed step that G. Obi,
// A. Saito, Y. Sasaki, T. Kato (2025), arXiv:2501.07794, section VII compare with.
//
//   min_f  P(f),   P as in kernel_erm.h
//
//   f      shrink sum_i beta_i k(x_i, .), so that a step touches one row of the kernel
//   g      its scores are shrink g
//   eta    the step, fixed
//
// With a fixed step f ends in a cloud around the optimum whose size falls with eta. beta_i adds up
// the slopes that the visits of row i met, the one of age t with weight eta (1 - eta lambda)^t;
// times lambda n these weights sum to about one, so that
//
//   a_i    -W lambda beta_i / omega_i, where necessary moved into the domain of phi*
//
// is about their average. Its f_a is f but for the rows that were moved, and the certificate is
// that of the pair f, a, KernelErm::certify_pair().
#pragma once

#include "kernel/kernel_erm.h"
#include "run/visits.h"

namespace dualmargin::kernel {

struct SgdOptions {
  bool permute = false;
  double step = 1e-3;
};

inline KernelSolution sgd(const KernelErm& problem, const SgdOptions& options,
                          const Solution& start, Sampler& sampler, Run& run) {
  const Index n = problem.n();
  const double eta = options.step, decay = 1 - eta * problem.lambda();
  KernelSolution s = start;
  s.solver = "sgd";
  s.b = 0;
  Vec beta = s.a.size() == n ? problem.coefficients(s.a) : Vec(Vec::Zero(n));
  Vec g = problem.scores(beta, problem.x.kernel(), run);
  double shrink = 1;
  Visits visits(n, options.permute, sampler, run);
  const auto collect = [&] {
    beta *= shrink;
    g *= shrink;
    shrink = 1;
  };
  const auto certify = [&] {
    collect();
    s.beta = beta;
    s.w = g;
    s.a.resize(n);
    for (Index i = 0; i < n; ++i) {
      // a row without weight has no coefficient, and any a_i will do
      const double unit = problem.beta_of(i);
      s.a[i] = problem.feasible(i, unit < 0 ? beta[i] / unit : 0);
    }
    return problem.certify_carried(s, run);
  };

  constexpr double price = 1;  // a product with the kernel
  for (double epoch = run.epoch(); run.proceed(epoch, certify, price); ++epoch) {
    visits.epoch([&](Index i) {
      const double z = shrink * g[i];
      const double slope =
          n * problem.weights[i] / problem.total_weight * problem.loss.slope(z, problem.y[i]);
      shrink *= decay;
      if (std::abs(shrink) < 1e-100) collect();
      const double change = -eta * slope / shrink;
      beta[i] += change;
      if (change != 0) problem.x.axpy(i, change, g);
    });
  }
  return s;
}

}  // namespace dualmargin::kernel
