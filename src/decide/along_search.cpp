#include "decide/along_search.h"

#include <algorithm>
#include <deque>
#include <vector>

#include "decide/along_fold.h"
#include "decide/along_search_bodies.h"
#include "decide/joint_fold.h"

namespace dualmargin::decide {

double SearchInterval::middle(double target) const {
  std::size_t first = steps.bound.size(), last = 0;
  for (std::size_t i = 0; i < steps.bound.size(); ++i) {
    if (!(steps.bound[i] < target)) continue;
    first = std::min(first, i);
    last = i;
  }
  const double place = 0.5 * (steps.positions[first] + steps.positions[last + 1]);
  return std::clamp(place, from + 0.1 * width(), to - 0.1 * width());
}

template class PenaltySearch<std::vector<AlongFold>>;
template class PenaltySearch<std::deque<JointFold>>;

}  // namespace dualmargin::decide
