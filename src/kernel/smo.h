// Sequential minimal optimisation for the plain hinge with a free intercept.
// J. C. Platt (1999), in Advances in Kernel Methods, 185-208; the choice of pairs by
// R.-E. Fan, P.-H. Chen and C.-J. Lin (2005), Journal of Machine Learning Research 6, 1889-1918,
// WSS 2 with shrinking.
//
//   max_c  sum_k s_k c_k - 1/2 beta' K beta   over boxes, sum_k c_k = 0; see boxes.h
//
// A step takes the pair i, j of variables that promises most, i by the slope g and j by the second
// order, and is exact along e_i - e_j. It reads two rows of the kernel.
//
// differs: LIBSVM stops when the violation max g_i - min g_j is below a tolerance. Here a violation
// that has fallen by `factor` is the occasion to wake all variables and compute the duality gap.
#pragma once

#include "kernel/boxes.h"
#include "kernel/row_cache.h"

namespace dualmargin {

struct SmoOptions {
  bool shrinking = true;
  double cache_bytes = 0;  // for rows of a kernel that is not stored
};

inline Solution smo(const KernelErm& problem, const SmoOptions& options, const Solution& start,
                    Monitor& monitor) {
  constexpr double factor = 0.3;
  const double n = static_cast<double>(problem.n());
  const long steps_between = std::min<long>(1000, problem.n());
  RowCache rows(problem.x.kernel(), options.cache_bytes);
  Boxes boxes(problem, start, monitor);
  double epoch = monitor.epoch();
  const auto certify = [&] { return boxes.certify(monitor); };

  while (monitor.proceed(epoch, certify, 0)) {
    const double enough = factor * boxes.violation(), until = epoch + 1;
    for (long step = 0; boxes.violation() > enough && epoch < until; ++step) {
      if (step % steps_between == 0 && options.shrinking) boxes.shrink();
      const Index i = boxes.first();
      const KernelRow row_i = rows.row(boxes.row(i));
      const Index j = row_i.with([&](const auto* values) { return boxes.second(values); });
      if (j < 0) break;
      const KernelRow row_j = rows.row(boxes.row(j));
      if (row_i.single) {
        boxes.step(i, j, row_i.single, row_j.single);
      } else {
        boxes.step(i, j, row_i.full, row_j.full);
      }
      epoch += 2 / n;
      monitor.tick_rows(step);
    }
    epoch += static_cast<double>(boxes.wake(monitor)) / n;
  }
  return boxes.solution("smo");
}

}  // namespace dualmargin
