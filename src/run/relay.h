// The stages of an automatic solver: one method after the other on the same problem, each from the
// best pair of points that the stages before it have left.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "run/run.h"

namespace dualmargin {

template <class Solution>
struct Stage {
  StopRule rule;
  std::function<Solution(const Solution&)> method;
  // Is the stage of use, from there? Without a function it is.
  std::function<bool(const Solution&)> applies{};
};

// better(before, after): the better primal and the better dual point of two solutions.
template <class Solution, class Better>
Solution relay(Solution point, const std::vector<Stage<Solution>>& stages, Run& run,
               Better better) {
  bool first = true;
  for (const Stage<Solution>& stage : stages) {
    if (stage.applies && !stage.applies(point)) continue;
    run.begin(stage.rule);
    Solution next = stage.method(point);
    const bool last = run.iterate() == Iterate::last;
    const bool keep = first || last || run.status() == Status::certified;
    point = keep ? std::move(next) : better(std::move(point), std::move(next));
    if (run.ended()) break;
    first = false;
  }
  return point;
}

}  // namespace dualmargin
