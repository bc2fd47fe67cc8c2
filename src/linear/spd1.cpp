// SPD1: a stochastic primal-dual method that reads one entry of the data a step.
// C. Tan, T. Zhang, S. Ma and J. Liu (2018), Advances in Neural Information Processing Systems 31;
// arXiv:1811.01182. Of their paper only its beginning was at hand when this was written: the steps
// are derived in entries.h from the saddle problem, and the schedule here.
//
//   min_w max_a  sum_i s_i [a_i w'x_i - phi*(a_i)] + g(w),   s_i = omega_i / W
//
//   entry (i, j):  a_i <- prox of phi* with the score r_i x_ij w_j    (d x_ij w_j of dense rows)
//                  w_j <- prox of g with the pull c_j s_i x_ij a_i    (n s_i x_ij a_i)
//   w_mean, a_mean  averages of the points so far, that after t steps weighted by t
//
// The estimates scatter at the optimum too, so steps must fall: with theta_t = theta / (1 + theta
// rho t / 2), theta <= 1/2, the expected distance of entries.h is V theta_t <= (1 - rho theta_t) V
// theta_t + O(theta_t^2) after a step, which falls as 1/t.
#include "linear/entries.h"
#include "linear/solvers.h"
#include "rows/typed_rows.h"

namespace dualmargin::linear {

namespace {

// Averages of numbers of which one changes at a time: x_t counts t times.
class RisingMean {
 public:
  explicit RisingMean(Index size) : last_(size, 0) {}

  // x_k was `value` in all points since it was told of last, up to that after t steps.
  double told(Index k, double mean, double value, double t) {
    const double all = total(t), before = total(last_[k]);
    last_[k] = t;
    return all > before ? mean + (all - before) / all * (value - mean) : mean;
  }

 private:
  static double total(double t) { return 0.5 * t * (t + 1); }

  std::vector<double> last_;
};

}  // namespace

Solution spd1(const LinearProblem& problem, const Spd1Options& options, const Solution& start,
              Sampler& sampler, Run& run) {
  return with_typed_rows(problem.rows, [&](const auto& rows) -> Solution {
    const Loss& loss = problem.losses.loss;
    const Index n = rows.n(), dim = rows.dim();
    const Entries entries(problem, rows, run);
    Solution s = problem.begin(start, "spd1");
    if (s.a.size() != n) s.a = RowVec::Zero(n);
    entries.settle(problem, s.w, s.a);
    Vec w = s.w, w_mean = w;
    RowVec a = s.a, a_mean = a;
    RisingMean of_w(dim), of_a(n);
    double t = 0;
    Best best(run.iterate());
    // without progress its short steps are slow, not stuck: max_epochs ends them
    run.be_patient(1);

    const auto certify = [&] {
      for (Index j = 0; j < dim; ++j) w_mean[j] = of_w.told(j, w_mean[j], w[j], t);
      for (Index i = 0; i < n; ++i) a_mean[i] = of_a.told(i, a_mean[i], a[i], t);
      s.w = w_mean;
      s.a = a_mean;
      const Certificate c = problem.certify(s, run);
      best.offer_primal(s, c.value);
      best.offer_dual(s, c.bound);
      return best.certificate();
    };
    const auto exact = [&] { return certify_best(problem, best, run); };
    // a pass in the order of memory, beside which an epoch of single entries takes long
    while (run.proceed(certify, exact, 0)) {
      for (Index k = 0; k < entries.count(); ++k) {
        const auto [i, j, x] = entries.draw(sampler);
        const double theta = options.step / (1 + 0.5 * options.step * entries.rho() * t);
        const double z = problem.losses.offset_of(i) + entries.of_row(i) * x * w[j];
        const double v = entries.of_column(j) * rows.share(i) * x * a[i];
        a_mean[i] = of_a.told(i, a_mean[i], a[i], t);
        w_mean[j] = of_w.told(j, w_mean[j], w[j], t);
        a[i] = loss.dual_step(z, rows.y[i], a[i], entries.inverse_sigma(i) / theta);
        const double tau = theta * entries.tau(j);
        w[j] = problem.penalty.prox(w[j] - tau * v, tau);
        ++t;
        run.tick().row(k);
      }
      run.spend(1);
    }
    return {best.primal(), best.dual(), "spd1"};
  });
}

}  // namespace dualmargin::linear
