// What a limit of F(w) - F* alone says of where the optimum of a mu-strongly convex F is,
//
//   |w* - w|^2 <= 2 (F(w) - F*)/mu,
//
// as of perturbed rows, where it is proven, or one of confidence if the expectation is drawn.
#pragma once

#include "region/region.h"

namespace dualmargin::region {

// slopes and intercept, of scaled columns as they come; level: of all scores; limit: of F(w) - F*.
struct Limited {
  Vec slopes;
  double intercept = 0, level = 0, mu = 0, limit = HUGE_VAL;
};

// Of rows less `centre`, with a last coordinate where the intercept is penalised. The intercept of a
// centred model is the one that its centre makes.
Region limited_region(const Limited& fit, const Vec& centre);

}  // namespace dualmargin::region
