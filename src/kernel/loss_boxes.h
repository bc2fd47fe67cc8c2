// The dual problem of a piecewise linear loss as a quadratic program with boxes, boxes.h. Each kink
// of a row's loss, s_k the score at which it is, has a variable. It is the dual problem of
// kernel_problem.h divided by lambda, with sum_k c_k = 0 where the intercept is free; with
// r = omega_i / (W lambda) the boxes are
//
//   plain hinge with the soft label y   0 <= c <= r (1 + y)/2 for s = 1,
//                                       -r (1 - y)/2 <= c <= 0 for s = -1
//   quantile loss                       (tau - 1) r <= c <= tau r for s = y
#pragma once

#include <algorithm>

#include "kernel/boxes.h"
#include "kernel/kernel_problem.h"

namespace dualmargin::kernel {

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
      // u - v = -a with u, v as large as can be: phi* adds both of them up
      const double t = std::clamp(-a_[i], p - first.rise - second.rise, p);
      const double u = std::min(p, second.rise + t);
      if (first.rise > 0) {
        add_box({i, first.at, rate * (p - first.rise), rate * p, rate * u});
      }
      if (second.rise > 0) {
        add_box({i, second.at, -rate * second.rise, 0, rate * (t - u)});
      }
    }
    begin(tick);
  }

  // The loop condition of what works on it; only after wake().
  bool proceed(Run& run) {
    for (const Box& v : boxes()) a_[v.row] = 0;
    for (const Box& v : boxes()) a_[v.row] += v.c / problem_.space.unit(v.row);
    // the ends of the boxes, added up, may be the next number after those, where phi* is infinite
    for (const Box& v : boxes()) a_[v.row] = feasible(problem_.losses, v.row, a_[v.row]);
    Solution s = solution("");
    const auto estimate = [&] { return problem_.estimate(s, s, run); };
    const auto certify = [&] {
      const Certificate c = problem_.certify(s, s, run);
      refuted_ = !run.within_tolerance(c);
      b_ = s.b;
      renew(s.f);
      return c;
    };
    return run.proceed(estimate, certify, 0);
  }
  // Did a point seem optimal that is not, by exact kernel values?
  bool refuted() const { return refuted_; }
  Solution solution(const char* solver) const { return {{scores(), Vec(), b_}, {a_}, solver}; }

 private:
  const KernelProblem& problem_;
  double b_;
  Vec a_;
  bool refuted_ = false;
};

}  // namespace dualmargin::kernel
