// The responses of a new row whose residual is no larger than those of at least k counted rows, all
// residuals being lines in that response: closed segments of the line.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "region/offset.h"

namespace dualmargin::decide {

struct Line {
  double at, slope;

  double size(double t) const { return std::abs(at + slope * t); }
};
using Segments = std::vector<region::Interval>;

// Where |own(t)| + off (1 + |t|) >= |other(t)|, disjoint and in order. The difference is linear
// between its kinks.
Segments where_larger(const Line& own, const Line& other, double off);

// Ends of the segments of all counted rows, in order: starts before ends, as segments are closed.
class SegmentEnds {
 public:
  void add(const Segments& of_row);
  void sort() { std::sort(ends_.begin(), ends_.end()); }
  // Where at least k > 0 of the rows are.
  Segments at_least(Index k) const;

 private:
  std::vector<std::pair<double, bool>> ends_;
};

}  // namespace dualmargin::decide
