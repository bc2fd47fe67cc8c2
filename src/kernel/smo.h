// Sequential minimal optimisation for piecewise linear losses.
// J. C. Platt (1999), in Advances in Kernel Methods, 185-208; the choice of pairs by
// R.-E. Fan, P.-H. Chen and C.-J. Lin (2005), Journal of Machine Learning Research 6, 1889-1918,
// WSS 2 with shrinking.
//
//   max_c  sum_k s_k c_k - 1/2 beta' K beta   over boxes, see loss_boxes.h, and sum_k c_k = 0
//                                             for a free intercept
//
// A step takes the pair i, j of variables that promises most and is exact along e_i - e_j, or in
// the plane of both where the intercept is not free. It reads two rows of the kernel.
//
// differs: the papers' problem has the constraint sum_k c_k = 0 always. Without it one variable
// could move alone, but pairs pay (I. Steinwart, D. Hush and C. Scovel, 2011, JMLR 12, 141-202): on
// magic04 (10,000 rows, cost 100) steps in one variable read 117 n rows, those in two 17 n.
// differs: LIBSVM stops when the violation max g_i - min g_j is below a tolerance. Here a violation
// that has fallen to `factor` of what it was is the occasion to compute the duality gap.
// differs: with kernel values in single precision the gap may stay above the tolerance although it
// seems to be below. Rows of exact values, computed as they are asked for, do the rest.
#pragma once

#include "algebra/lru_cache.h"
#include "kernel/loss_boxes.h"

namespace dualmargin::kernel {

struct SmoOptions {
  bool shrinking = true;
  double cache_bytes = 0;  // for rows of a kernel that is not stored
};

// working, exact: the kernel that rows are read of, and what takes its place once a certificate has
// refuted a point of it.
template <class Program>
void maximize(Program& boxes, const Gram& working, const Gram& exact, const SmoOptions& options,
              Run& run) {
  constexpr double factor = 0.3;
  const Index rows = working.n();
  const double n = static_cast<double>(rows);
  const long steps_between = std::min<long>(1000, rows);
  const Gram* kernel = &working;
  LruCache cache(rows, rows, options.cache_bytes, 64);
  const auto row = [&](Index i) -> KernelRow {
    const KernelRow stored = kernel->kernel().stored_row(i);
    if (stored.found()) return stored;
    return cache
        .get(i,
             [&](Vec& values) {
               values.setZero(rows);
               kernel->kernel().add_row(i, 1, values);
             })
        .data();
  };
  // every step raises the dual value, the gap need not fall; on few rows an epoch is few steps
  run.be_patient(0.97);

  while (boxes.proceed(run)) {
    if (boxes.refuted() && &kernel->kernel() != &exact.kernel()) {
      kernel = &exact;
      cache = LruCache(rows, rows, options.cache_bytes, 64);
    }
    const double enough = factor * boxes.violation(), until = run.epoch() + 1;
    for (long step = 0; boxes.violation() > enough && run.epoch() < until; ++step) {
      if (step % steps_between == 0 && options.shrinking) boxes.shrink();
      const Index i = boxes.first();
      if (i < 0) break;  // no choice, no step
      const KernelRow row_i = row(boxes.row(i));
      const Index j = row_i.with([&](const auto* values) { return boxes.second(values); });
      const KernelRow row_j = row(boxes.row(j));
      if (row_i.single) {
        boxes.step(i, j, row_i.single, row_j.single);
      } else {
        boxes.step(i, j, row_i.full, row_j.full);
      }
      run.spend(2 / n);
      run.tick().row(step);
      if (step % 256 == 255 && run.exhausted()) break;  // rows may be slow to compute
    }
    run.spend(static_cast<double>(boxes.wake(*kernel, run)) / n);
  }
}

inline Solution smo(const KernelProblem& problem, const SmoOptions& options, const Solution& start,
                    Run& run) {
  LossBoxes boxes(problem, start, run);
  maximize(boxes, problem.space.working(), problem.space.exact(), options, run);
  return boxes.solution("smo");
}

}  // namespace dualmargin::kernel
