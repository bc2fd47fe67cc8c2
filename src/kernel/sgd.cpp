// Stochastic gradient descent in the space of the kernel, a baseline.
// J. Kivinen, A. J. Smola, R. C. Williamson (2004), Online learning with kernels, IEEE Transactions
// on Signal Processing 52, 2165-2176, doi:10.1109/TSP.2004.830991, with the fixed step that G. Obi,
// A. Saito, Y. Sasaki, T. Kato (2025), arXiv:2501.07794, section VII compare with.
//
//   min_f  P(f),   P as in kernel_problem.h
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
// that of the pair f, a, see kernel_problem.h.
#include "kernel/solvers.h"
#include "run/sampler.h"

namespace dualmargin::kernel {

Solution sgd(const KernelProblem& problem, const SgdOptions& options, const Solution& start,
             Sampler& sampler, Run& run) {
  const Index n = problem.n();
  const FunctionSpace& space = problem.space;
  const double eta = options.step, decay = 1 - eta * space.lambda();
  const RowVec share =
      problem.losses.omega * (static_cast<double>(n) / problem.losses.total_weight);
  Vec beta = problem.coefficients({problem.dual_or_rest(start.a)});
  Vec g = space.working().multiply(beta, run);
  double shrink = 1;
  Visits visits(n, options.permute, sampler, run);
  Solution s;
  const auto collect = [&] {
    beta *= shrink;
    g *= shrink;
    shrink = 1;
  };
  const auto estimate = [&] {
    collect();
    s = {{g, beta, 0}, {Vec::Zero(n)}, "sgd"};
    for (Index i = 0; i < n; ++i) {
      // a row without weight has no coefficient, and any a_i will do
      const double unit = space.unit(i);
      s.a[i] = feasible(problem.losses, i, unit < 0 ? beta[i] / unit : 0);
    }
    return problem.estimate(s, s, run);
  };
  const auto certify = [&] { return problem.certify(s, s, run); };

  constexpr double price = 1;  // a product with the kernel
  while (run.proceed(estimate, certify, price)) {
    visits.epoch([&](Index i) {
      const double slope = share[i] * problem.losses.loss.slope(shrink * g[i], problem.losses.y[i]);
      shrink *= decay;
      if (std::abs(shrink) < 1e-100) collect();
      const double change = -eta * slope / shrink;
      beta[i] += change;
      if (change != 0) space.working().axpy(i, change, g);
    });
    run.spend(1);
  }
  return s;
}

}  // namespace dualmargin::kernel
