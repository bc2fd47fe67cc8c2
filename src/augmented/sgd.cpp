// Stochastic gradient descent on rows as their perturbations show them, a baseline.
// H. Robbins and S. Monro (1951), Annals of Mathematical Statistics 22, 400-407; its theory:
// L. Bottou, F. E. Curtis and J. Nocedal (2018), SIAM Review 60, 223-311, Section 4;
// doi:10.1137/16M1080173. Steps and averages are those of A. Bietti and J. Mairal (2017), NIPS 30,
// Section 5 and Appendix C; arXiv:1610.00970.
//
//   w <- prox_{eta l1 |.|_1}((1 - eta mu) w - eta (omega_i / (W q_i)) phi'(w'xi) xi),
//
// with xi = rho x_i and mu = l2, row i drawn with probability q_i.
//
// eta is 1 / (L + mu) for two epochs, L that of draws.h, and then 2 / (mu (gamma + t)), gamma =
// 2 / (mu eta). From there on the t-th point enters the average with the weight gamma + t. The
// noise of the rows stays where no perturbation is, so the steps fall there too.
//
// differs: the ridge's gradient is not divided by n q_i, since it needs no sampling.
#include "augmented/draws.h"
#include "augmented/lazy_iterate.h"

namespace dualmargin::augmented {

AugmentedSolution sgd(const ExpectedErm& problem, const AugmentedOptions& options, const Vec& start,
                      Sampler& sampler, Assessment& assess, Run& run) {
  const Rows& x = problem.rows;
  const Index dim = x.dim();
  const double count = static_cast<double>(problem.n()), mu = problem.penalty.l2;
  Draws draws(problem, options, sampler, run);

  FallingStep step{mu, options.step / (draws.smoothness() + mu)};
  const double constant_epochs = 2;

  LazyIterate w(start.size() == dim ? start : Vec(Vec::Zero(dim)), Vec());
  AugmentedSolution s;
  s.solver = "sgd";
  const auto last = [&] { return w.settle(); };
  const auto average = [&] { return w.average(); };

  while (assess.proceed(last, average, s.w)) {
    const bool falls = run.epoch() >= constant_epochs;
    draws.epoch([&](Index i, const ShownRow& xi) {
      if (falls) step.fall();
      const double slope = count * problem.share(i) * draws.correction(i) *
                           problem.loss->slope(w.dot(xi), problem.rows.y[i]);
      w.step(1 - step.eta * mu, 0);
      xi.for_each_place([&](Index k, Index j) { w.move(j, -step.eta * slope * xi[k]); });
      w.soften(step.eta * problem.penalty.l1);
      if (falls && options.averaging) w.count(step.weight());
    });
    run.spend(1);
  }
  return s;
}

}  // namespace dualmargin::augmented
