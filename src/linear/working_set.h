// Which coordinates a model with an l1 part or bounds looks at when there are too many for all of
// them.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "loss/elastic_net.h"

namespace dualmargin::linear {

// Where the derivative of a column's penalty jumps: by 2 l1 at zero, without end at its bounds. And
// steps of a quadratic model that would carry coordinates past such kinks.

// The rate at which risk and penalty fall as w_j moves into the better of its directions; negative
// where they rise in both. u: gradient of the risk.
double descent_rate(const ElasticNet& g, Index j, double w, double u);

// Does w_j stand on a kink?
inline bool on_kink(const ElasticNet& g, Index j, double w) {
  return (w == 0 && g.l1_of(j) > 0) || w == g.lower(j) || w == g.upper(j);
}

// A coordinate of the model, of which l1 and bounds are those of its column.
struct Coordinate {
  double value, l1, lower, upper;
};

// Where a step ends that crosses no bound: on it, where only the rounding of the sum keeps it off.
Vec within_bounds(const std::vector<Coordinate>& coordinates, const Vec& step);

// Where a step ends if each coordinate goes no farther than to the next kink.
Vec up_to_kinks(const std::vector<Coordinate>& coordinates, const Vec& step);

// The minimum over t >= 0 of bend t^2 / 2 - fall t plus what the kinks that are passed add: the
// derivative jumps by 2 l1_k |step_k| where coordinate k passes zero, and at a bound t ends.
// Returns t and the value there.
std::pair<double, double> beyond_kinks(const std::vector<Coordinate>& coordinates, const Vec& step,
                                       double fall, double bend);

// How many coordinates beyond those in use: the worst of those that want to enter, `entering` at
// most; where all are fewer than `least`, also the nearest to entering; altogether `most`.
struct SetSize {
  Index least = 0, entering = PTRDIFF_MAX, most = PTRDIFF_MAX;
};

// Of the candidates, in ascending order. u: gradient of the risk; norm: of the columns. What is
// not in use wants to enter where the objective falls that way, for w_j = 0 without bounds where
// |u_j| > l1, and the sooner the larger that rate / |x_j| is.
// Those `before` are kept as if they were in use.
std::vector<Index> working_set(const std::vector<Index>& candidates, const ElasticNet& g,
                               const Vec& w, const Vec& u, const Vec& norm, const SetSize& size,
                               const std::vector<Index>& before = {});

}  // namespace dualmargin::linear
