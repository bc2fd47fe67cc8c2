// Where the derivative of a column's penalty jumps: by 2 l1 at zero, without end at its bounds. And
// steps of a quadratic model that would carry coordinates past such kinks.
#pragma once

#include <utility>
#include <vector>

#include "loss/elastic_net.h"

namespace dualmargin::linear {

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

}  // namespace dualmargin::linear
