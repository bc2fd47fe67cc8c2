// The methods of the robust family. Each is described where it is defined, in the file of its name.
#pragma once

#include "robust/incremental.h"

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

}  // namespace dualmargin::robust
