// Where one method of this family becomes cheaper than another, in rows, entries of memory or
// seconds of passes (base/pass_seconds.h), each with what was measured. One core, magic04 with an
// RBF kernel where nothing else is said.
#pragma once

#include <algorithm>

#include "base/pass_seconds.h"
#include "run/stop_rule.h"

namespace dualmargin::kernel {

struct CostModel {
  // Newton's method from the start: logistic loss, lambda = 1e-4, to 1e-6, against blocks of dual
  // ascent: 0.01 s and 0.02 s at 250 rows, 0.03 s and 0.04 s at 500, 0.14 s and 0.07 s at 1,000,
  // 0.90 s and 0.19 s at 2,000.
  static constexpr Index newton_at_once = 500;
  // Its matrix: a step takes 1.9 s at 4,000 rows and grows with their cube.
  static constexpr Index most_newton = 6000;
  // Matrices of the softmax problem, one for each class.
  static constexpr double most_softmax_entries = 4e7;

  // The matrix of the interior point method.
  static constexpr Index most_inner = 4000;
  // SMO first, as long as its rate promises an end before that of the interior point method, and no
  // longer than that would have taken: some twenty steps of three factorisations' work each.
  // Epsilon-insensitive loss, free intercept, to 1e-6: SMO took 0.12 s for 360 epochs at cost 100
  // and 0.93 s for 2,520 at 1e4 on 506 rows, 2.0 s for 380 and 2.6 s for 504 on 2,000; the interior
  // point method 0.19 s and 0.23 s, 10.1 s and 11.9 s.
  static StopRule before_inner(Index n) {
    StopRule rule = trial(inner(n) / smo_epoch(n));
    rule.epochs = rule.trial + rule.worth;
    return rule;
  }
  // From where rounding ended its steps, again as long as these took; few rows cost nothing.
  static StopRule after_inner(Index n) { return {std::max(100.0, inner(n) / smo_epoch(n))}; }

  // Blocks of ascent first, as long as their rate promises an end before that of Newton's method,
  // some six steps. At lambda = 1e-6 and 1e-7 that took, in epochs of blocks, n / 43 and n / 29 at
  // 1,000 rows, n / 25 and n / 21 at 2,000, n / 19 and n / 15 at 3,000. At 1e-7, to 1e-3, blocks
  // alone took 3.7 s, 6.5 s and 7.1 s, and with Newton's method after thirty epochs 0.4 s at 1,000
  // rows and 2.1 s at 2,000.
  static StopRule before_newton(Index n) {
    return trial(6 * seconds::cholesky(rows(n)) / epoch(n));
  }
  // A step of the softmax problem inverts a matrix for each class, ten factorisations; some eight
  // steps.
  static StopRule before_softmax_newton(Index n) {
    return trial(8 * 10 * seconds::cholesky(rows(n)) / epoch(n));
  }

 private:
  static double rows(Index n) { return static_cast<double>(n); }
  // Half the kernel matrix anew; at 2,000 rows Newton's 0.90 s were n / 25 epochs, 11 ms each.
  static double epoch(Index n) { return rows(n) * rows(n) / 2 * seconds::exponential; }
  static double inner(Index n) { return 60 * seconds::cholesky(rows(n)); }
  // Of n steps, each of two rows of the kernel matrix and the choice of the next two.
  static double smo_epoch(Index n) { return 3 * rows(n) * rows(n) * seconds::streamed; }
  static StopRule trial(double worth) {
    StopRule rule;
    rule.trial = 30;
    rule.worth = worth;
    return rule;
  }
};

}  // namespace dualmargin::kernel
