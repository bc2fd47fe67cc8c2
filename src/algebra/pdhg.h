// Restarted primal-dual hybrid gradient for a saddle point min_x max_y: A. Chambolle, T. Pock
// (2011), Journal of Mathematical Imaging and Vision 40, 120-145, Algorithm 1; restarts and primal
// weight: D. Applegate, O. Hinder, H. Lu, M. Lubin (2023), Mathematical Programming 201, 133-184,
// and D. Applegate et al. (2021), NeurIPS 34, arXiv:2106.04756.
//
// With k the norm of the bilinear form the steps are 1 / (nu k) for x and nu / k for y; nu is the
// primal weight.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

namespace dualmargin {

struct SaddleGaps {
  double iterate, average;  // since the last restart
};

// Iterate: a pair (x, y) with mix(share, other), which moves it by that share towards another, and
//   distance(other) -> {of x, of y}  in the norms in which the method's steps are measured.
// step(iterate, nu): one step in place; false, and the end, where there is no time for it.
// look(iterate, average): their gaps, after every `between` steps; none: the end.
template <class Iterate, class Step, class Look>
void pdhg(Iterate now, double nu, int between, Step step, Look look) {
  // Restart when the gap has fallen to a fifth since the last restart, when it has fallen a little
  // and begins to rise again, or when the run since then is long (Applegate et al., section 5.1).
  constexpr double sufficient = 0.2, necessary = 0.8, long_run = 0.36;
  Iterate average = now, anchor = now;  // the last restart was at anchor
  double at_restart = HUGE_VAL, last = HUGE_VAL;
  double steps = 0, inner = 0;
  for (;;) {
    const std::optional<SaddleGaps> gaps = look(now, average);
    if (!gaps) return;
    const double gap = std::min(gaps->iterate, gaps->average);
    const bool restart = gap <= sufficient * at_restart ||
                         (gap <= necessary * at_restart && gap > last) || inner >= long_run * steps;
    last = gap;
    if (restart) {
      if (gaps->average < gaps->iterate) now = average;
      const auto [dx, dy] = now.distance(anchor);
      constexpr double least = 1e-10;  // of a point that has hardly moved the ratio is rounding
      if (dx > least && dy > least) nu = std::sqrt(dy / dx * nu);  // smoothed on a log scale
      anchor = now;
      inner = 0;
      at_restart = gap;
    }
    for (int k = 0; k < between && step(now, nu); ++k) {
      ++inner, ++steps;
      if (inner == 1) {
        average = now;
      } else {
        average.mix(1 / inner, now);
      }
    }
  }
}

}  // namespace dualmargin
