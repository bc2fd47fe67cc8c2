// The methods of the robust family. Each is described where it is defined, in the file of its name.
#pragma once

#include "robust/incremental.h"
#include "robust/robust_svm.h"

namespace dualmargin::robust {

Solution automatic(const RobustSvm& problem, const Solution& start, Run& run);

// A start is not used: from near a solution interior point methods are slower than from afar.
Solution interior_point(const RobustSvm& whole, Run& run);

Solution pdhg(const RobustSvm& problem, const Solution& start, Run& run);

struct AdmmOptions {
  double penalty, growth, inner_steps;
};

Solution gs_admm(const RobustSvm& problem, const AdmmOptions& options, const Solution& start,
                 Run& run);

Solution isg(const RobustSvm& problem, const IncrementalOptions& options, const Solution& start,
             Sampler& sampler, Run& run);

Solution ippa(const RobustSvm& problem, const IncrementalOptions& options, const Solution& start,
              Sampler& sampler, Run& run);

// `change`: the share of the first step below which proximal steps take over
Solution hybrid(const RobustSvm& problem, const IncrementalOptions& options, double change,
                const Solution& start, Sampler& sampler, Run& run);

// Problems that need no iteration, and the radius from which on w = 0 is optimal.

// Does a radius of half the label cost or more pay for a flip of half of every label? Then 1 - u_i
// or 1 + u_i - kappa t stays, on average, 1 in every row: w = 0 is optimal and P = 1.
bool labels_are_cheap(const RobustSvm& problem);
Solution half_of_each_label(const RobustSvm& problem);

// Do all rows of positive weight have one label, which the intercept alone can give?
bool constant_suffices(const RobustSvm& problem);

// The mean of convex functions of u_i is at least their value at the mean of the u_i, which b can
// be made to give with w = 0. There P = t epsilon + max(1 - u, 1 + u - kappa t, 0), u = y b, is
// smallest at u = 1 with t = 2 / kappa, where labels are not cheap.
Solution constant_fit(const RobustSvm& problem);

// Where a path over the radius starts. From this radius on w = 0 is optimal, at P = 1, where the
// intercept is not free: the multipliers alpha_i = 1 - s, beta_i = s have D = 1 and are feasible at
// the radius (1 - 2 s)|v|_p + kappa s, v = (1/W) sum omega_i y_i x_i, which is least at one end of
// s in [0, 1/2]. With a free intercept the classes are balanced first; w = 0 is then optimal there
// for labels that are trusted.
double trivial_radius(const RobustSvm& problem, Tick& tick);

}  // namespace dualmargin::robust
