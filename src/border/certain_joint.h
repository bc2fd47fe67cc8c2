// What is certain of the optimum of one problem of all classes, wherever its rows lie.
#pragma once

#include <functional>

#include "base/function_ref.h"
#include "border/border.h"
#include "region/joint_intervals.h"

namespace dualmargin::region {

// problem: see JointQuestion; omega: the weights.
Rcpp::List certain_of_joint(const Storage& data, const RowFrame& at, const Rcpp::List& problem,
                            const RowVec& omega, Team& team, Tick& tick);

// What a region says of the rows that are asked about.
using AskJoint = std::function<JointEnds(const KnownJoint& joint)>;

// The problem is solved further while a class is open. given: omega and problem as certain_of_joint()
// has them, and further.
void joint_further(const Storage& data, const RowFrame& at, const Rcpp::List& given,
                   const AskJoint& asked, JointEnds& ends, Team& team, Tick& tick);

// Of other rows, in the frame of the region. again(asked, ends): what the rows of the fit say further.
Rcpp::List certain_of_other_joint(SEXP x, const Rcpp::List& frame, const Rcpp::List& joint,
                                  Team& team,
                                  FunctionRef<void(const AskJoint& asked, JointEnds& ends)> again,
                                  Tick& tick);

}  // namespace dualmargin::region
