// A fit of a problem of all classes to a tolerance, from a start: what questions that bounds leave
// open are handed.
#pragma once

#include <functional>
#include <vector>

#include "linear/joint_solution.h"
#include "loss/elastic_net.h"
#include "rows/typed_rows.h"

namespace dualmargin::decide {

// own: the class of each row, from 0
template <class Data>
struct JointRefitOf {
  const TypedRows<Data>& rows;
  const std::vector<Index>& own;
  Index classes;
  bool softmax, free;
  ElasticNet space;
};
template <class Data>
using JointRefit = std::function<linear::JointSolution(
    const JointRefitOf<Data>& problem, const linear::JointSolution& start, double tol, Tick& tick)>;

}  // namespace dualmargin::decide
