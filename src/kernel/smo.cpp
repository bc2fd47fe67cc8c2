// Sequential minimal optimisation for piecewise linear losses.
// J. C. Platt (1999), in Advances in Kernel Methods, 185-208; the choice of pairs by
// R.-E. Fan, P.-H. Chen and C.-J. Lin (2005), Journal of Machine Learning Research 6, 1889-1918,
// WSS 2 with shrinking.
//
//   max_c  sum_k s_k c_k - 1/2 beta' K beta   over boxes, see LossBoxes, and sum_k c_k = 0
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
// differs: pairs creep at a large cost with a smooth kernel, where many variables are inside their
// boxes. After some epochs Newton's step in all of these follows now and then, for at most half of
// the work: on 532 rows (Pima, cost 2^15, gamma 2^-3) 47 epochs where pairs alone took 552.
// differs: with mixed rows in single precision the gap may stay above the tolerance although it
// seems to be below. Rows of exact values, computed as they are asked for, do the rest.
#include <algorithm>

#include "algebra/lru_cache.h"
#include "kernel/boxes.h"
#include "kernel/solvers.h"
#include "run/run.h"

namespace dualmargin::kernel {

void maximize(Boxes& boxes, const Gram& working, const Gram& exact, const SmoOptions& options,
              Run& run) {
  constexpr double factor = 0.3;
  const Index rows = working.n();
  const double n = static_cast<double>(rows);
  const long steps_between = std::min<long>(1000, rows);
  const Gram* kernel = &working;
  LruCache cache(rows, rows, options.cache_bytes, 64);
  const auto row = [&](Index i) -> const double* {
    const double* stored = kernel->kernel().stored_row(i);
    if (stored != nullptr) return stored;
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

  double due = run.epoch() + 20;  // of Newton's steps: most fits take fewer epochs
  while (boxes.proceed(run)) {
    if (boxes.refuted() && &kernel->kernel() != &exact.kernel()) {
      kernel = &exact;
      cache = LruCache(rows, rows, options.cache_bytes, 64);
    }
    if (run.epoch() >= due) {
      const double price = boxes.leap(row, run) / n;
      due = run.spend(price) + std::max(10.0, 2 * price);
    }
    const double enough = factor * boxes.violation(), until = run.epoch() + 1;
    for (long step = 0; boxes.violation() > enough && run.epoch() < until; ++step) {
      if (step % steps_between == 0 && options.shrinking) boxes.shrink();
      const Index i = boxes.first();
      if (i < 0) break;  // no choice, no step
      const double* row_i = row(boxes.row(i));
      const Index j = boxes.second(row_i);
      boxes.step(i, j, row_i, row(boxes.row(j)));
      run.spend(2 / n);
      run.tick().row(step);
      if (step % 256 == 255 && run.exhausted()) break;  // rows may be slow to compute
    }
    run.spend(static_cast<double>(boxes.wake(*kernel, run)) / n);
  }
}

namespace {

// The dual problem of a piecewise linear loss as a quadratic program with boxes, boxes.h. Each kink
// of a row's loss, s_k the score at which it is, has a variable. It is the dual problem of
// kernel_problem.h divided by lambda, with sum_k c_k = 0 where the intercept is free; with
// r = omega_i / (W lambda) the boxes are
//
//   plain hinge with the soft label y   0 <= c <= r (1 + y)/2 for s = 1,
//                                       -r (1 - y)/2 <= c <= 0 for s = -1
//   quantile loss                       (tau - 1) r <= c <= tau r for s = y
//   epsilon-insensitive loss            0 <= c <= r for s = y - epsilon,
//                                       -r <= c <= 0 for s = y + epsilon
class LossBoxes : public Boxes {
 public:
  LossBoxes(const KernelProblem& problem, const Solution& start, Tick& tick)
      : Boxes(problem.x(), problem.losses.free_intercept),
        problem_(problem),
        b_(start.b),
        a_(problem.dual_or_rest(start.a)) {
    constexpr double far = 1e300;
    problem.losses.balance(a_);
    for (Index i = 0; i < problem.n(); ++i) {
      const double rate = -problem.space.unit(i),
                   p = -problem.losses.loss.slope(-far, problem.losses.y[i]);
      if (!(rate > 0)) continue;
      const auto [first, second] = problem.losses.loss.kinks(problem.losses.y[i]);
      // u - v = -a: the variable of the kink further right is as large as can be, for phi* is
      // convex
      const double t = std::clamp(-a_[i], p - first.rise - second.rise, p);
      const double u =
          first.at > second.at ? std::min(p, second.rise + t) : std::max(p - first.rise, t);
      if (first.rise > 0) {
        add_box({i, first.at, rate * (p - first.rise), rate * p, rate * u});
      }
      if (second.rise > 0) {
        add_box({i, second.at, -rate * second.rise, 0, rate * (t - u)});
      }
    }
    begin(tick);
  }

  bool proceed(Run& run) override {
    for (const Box& v : boxes()) a_[v.row] = 0;
    for (const Box& v : boxes()) a_[v.row] += v.c / problem_.space.unit(v.row);
    // the ends of the boxes, added up, may be the next number after those, where phi* is infinite
    for (const Box& v : boxes()) a_[v.row] = feasible(problem_.losses, v.row, a_[v.row]);
    Solution s = solution("");
    const auto estimate = [&] { return problem_.estimate(s, s, run); };
    const auto certify = [&] {
      const Certificate c = problem_.certify(s, s, run);
      refute(!run.within_tolerance(c));
      b_ = s.b;
      renew(s.f);
      return c;
    };
    return run.proceed(estimate, certify, 0);
  }
  Solution solution(const char* solver) const { return {{scores(), Vec(), b_}, {a_}, solver}; }

 private:
  const KernelProblem& problem_;
  double b_;
  Vec a_;
};

}  // namespace

Solution smo(const KernelProblem& problem, const SmoOptions& options, const Solution& start,
             Run& run) {
  LossBoxes boxes(problem, start, run);
  maximize(boxes, problem.space.working(), problem.space.exact(), options, run);
  return boxes.solution("smo");
}

}  // namespace dualmargin::kernel
