#include "region/classes.h"

namespace dualmargin::region {

Index certain_class(const std::vector<Ends>& ends, Index i) {
  if (ends.size() == 1) {
    if (ends[0].low[i] >= 0) return 1;
    return ends[0].high[i] < 0 ? 0 : -1;
  }
  std::size_t best = 0;
  for (std::size_t k = 1; k < ends.size(); ++k) {
    if (ends[k].low[i] > ends[best].low[i]) best = k;
  }
  const double own = ends[best].low[i];
  for (std::size_t k = 0; k < ends.size(); ++k) {
    if (k == best) continue;
    const double other = ends[k].high[i];
    if (!(k > best ? own >= other : own > other)) return -1;
  }
  return static_cast<Index>(best);
}

std::vector<Index> open_rows(const std::vector<Ends>& ends) {
  std::vector<Index> open;
  for (Index i = 0; i < ends[0].low.size(); ++i) {
    if (certain_class(ends, i) < 0) open.push_back(i);
  }
  return open;
}

}  // namespace dualmargin::region
