// SAGA on rows as their perturbations show them, two baselines: with steps of one length, and with
// steps that fall.
// T. Hofmann, A. Lucchi, S. Lacoste-Julien and B. McWilliams (2015), Variance Reduced Stochastic
// Gradient Descent with Neighbors, NIPS 28 (N-SAGA); arXiv:1506.03662.
// A. Defazio, F. Bach and S. Lacoste-Julien (2014), NIPS 27, 1646-1654; arXiv:1407.0202.
//
//   z_i    the table: slope times row as row i was last seen, on the pattern of row i
//   g      mean of the table
//
//   row i, xi = rho x_i:  z = (n omega_i / W) phi'(w'xi) xi,
//                         w <- prox_{eta l1 |.|_1}((1 - eta mu) w - eta (z - z_i + g)),
//                         then z_i <- z, g <- g + (z - z_i) / n
//
// with mu = l2 and eta = 1 / (3 (L + mu)), L = max_i L_i. A table entry is the gradient under one
// perturbation, so g is off by the noise of all of them and steps of one length end in a cloud
// around the optimum. `falls`: after two epochs eta = 2 / (mu (gamma + t)), gamma = 2 / (mu eta),
// and the average weights the t-th point by gamma + t, which no theorem covers. Without
// perturbations there is no such noise and eta stays.
#include "augmented/draws.h"
#include "augmented/lazy_iterate.h"

namespace dualmargin::augmented {

AugmentedSolution saga(const ExpectedErm& problem, const AugmentedOptions& options, bool falls,
                       const Vec& start, Sampler& sampler, Assessment& assess, Run& run) {
  const Rows& x = problem.rows;
  const Index n = problem.n(), dim = x.dim();
  const double count = static_cast<double>(n), mu = problem.penalty.l2;
  Draws draws(problem, options, sampler, run);

  FallingStep step{mu, options.step / (3 * (draws.smoothness() + mu))};
  const double constant_epochs = falls && !problem.perturbation.none() ? 2 : HUGE_VAL;

  std::vector<double> table(n > 0 ? x.place(n - 1) + x.nonzeros(n - 1) : 0);
  Vec g = Vec::Zero(dim);
  const auto slope = [&](Index i, double z) {
    return count * problem.share(i) * problem.loss->slope(z, problem.rows.y[i]);
  };
  const bool warm = start.size() == dim;
  if (warm) {  // the table of a method that has long been there
    const auto fill = [&](Index i, double score) {
      const double s = slope(i, score);
      double* z = table.data() + x.place(i);
      x.for_each(i, [&](Index, double value) { *z++ = s * value; });
      return s / count;
    };
    g = problem.rows.gradient(start, fill, run);
  }

  LazyIterate w(warm ? start : Vec(Vec::Zero(dim)), std::move(g));
  AugmentedSolution s;
  s.solver = falls ? "saga_decay" : "nsaga";
  const auto last = [&] { return w.settle(); };
  const auto average = [&] { return w.average(); };

  while (assess.proceed(last, average, s.w)) {
    const bool falling = run.epoch() >= constant_epochs;
    draws.epoch([&](Index i, const ShownRow& xi) {
      if (falling) step.fall();
      const double a = slope(i, w.dot(xi));
      double* z = table.data() + x.place(i);
      w.step(1 - step.eta * mu, step.eta);
      xi.for_each_place([&](Index k, Index j) {
        const double change = a * xi[k] - z[k];
        z[k] += change;
        w.move(j, -step.eta * change, change / count);
      });
      w.soften(step.eta * problem.penalty.l1);
      if (falling && options.averaging) w.count(step.weight());
    });
    run.spend(1);
  }
  return s;
}

}  // namespace dualmargin::augmented
