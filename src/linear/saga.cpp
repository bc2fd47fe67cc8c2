// SAGA: incremental gradient with a table of the newest gradient of every row.
// A. Defazio, F. Bach and S. Lacoste-Julien (2014), NIPS 27, 1646-1654, Section 2;
// arXiv:1407.0202.
//
//   min_w  (1/n) sum_i f_i(w) + g(w),   f_i(w) = (n omega_i / W) phi(w'x_i; y_i), L-smooth
//
//   slope  the table: phi' of row i where the row was last visited
//   mean   average gradient of the table, (1/W) sum_i omega_i slope_i x_i
//
//   row i:  w <- prox_{eta g}(w - eta [grad f_i(w) - (table) grad f_i + mean]),
//           then slope_i and mean are renewed
//
// eta = 1/(3L), the step of Section 2 that need not know how strongly convex the problem is;
// L = n max_i omega_i |x_i|^2 / (W gamma).
#include "algebra/lazy.h"
#include "linear/full_gradient.h"
#include "linear/solvers.h"
#include "rows/typed_rows.h"
#include "run/sampler.h"

namespace dualmargin::linear {

Solution saga(const LinearProblem& problem, const SagaOptions& options, const Solution& start,
              Sampler& sampler, Run& run) {
  return with_typed_rows(problem.rows, [&](const auto& rows) {
    const Loss& loss = problem.losses.loss;
    const Index n = rows.n(), dim = rows.dim();
    const double eta = 1 / (3 * std::max(n * problem.row_smoothness(), 1e-300));
    Solution s = problem.begin(start, "saga");
    FullGradient table(problem, s.w, run);
    run.spend(1);
    if (!run.proceed([&] { return table.certify(problem, s, run); }, 0)) return s;
    RowVec& slope = table.slope;
    Vec &w = s.w, &mean = table.gradient;
    LazyProx prox(eta, problem.penalty.l1, problem.penalty.l2);
    std::vector<Index> seen(dim);  // steps of this epoch that coordinate j has been through
    Visits visits(n, options.permute, sampler, run);
    const auto certify = [&] { return FullGradient(problem, w, run).certify(problem, s, run); };

    do {
      Index step = 0;
      std::fill(seen.begin(), seen.end(), Index{0});
      visits.epoch([&](Index i) {
        double z = problem.losses.offset_of(i);
        rows.for_each(i, [&](Index j, double x) {
          // since its last row mean[j] has not moved either
          if (seen[j] < step) w[j] = prox.many(step - seen[j], w[j], mean[j]);
          z += x * w[j];
        });
        const double renewed = loss.slope(z, rows.y[i]);
        const double change = rows.share(i) * (renewed - slope[i]);
        slope[i] = renewed;
        ++step;
        rows.for_each(i, [&](Index j, double x) {
          w[j] = prox.one(w[j], mean[j] + n * change * x);
          mean[j] += change * x;
          seen[j] = step;
        });
      });
      for (Index j = 0; j < dim; ++j) {
        if (seen[j] < step) w[j] = prox.many(step - seen[j], w[j], mean[j]);
      }
      run.spend(1);
      // differs: the last iterate; without strong convexity the theory takes the average
    } while (run.proceed(certify, 1));
    return s;
  });
}

}  // namespace dualmargin::linear
