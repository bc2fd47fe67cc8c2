// A fit of a problem of all classes to a tolerance, from a start: what questions that bounds leave
// open are handed.
#pragma once

#include <functional>
#include <vector>

#include "linear/solution.h"
#include "loss/elastic_net.h"
#include "rows/rows.h"

namespace dualmargin::decide {

// own: the class of each row, from 0
struct JointRefitOf {
  const Rows& rows;
  const std::vector<Index>& own;
  Index classes;
  bool softmax, free;
  ElasticNet space;
};
using JointRefit = std::function<linear::JointSolution(
    const JointRefitOf& problem, const linear::JointSolution& start, double tol, Tick& tick)>;

}  // namespace dualmargin::decide
