// What a solver of the linear family returns, and the best pair of points of a run. Of several
// classes there are as many scores a row, and weight vectors as columns.
#pragma once

#include <type_traits>

#include "rows/row_mat.h"
#include "rows/row_vec.h"
#include "run/certificate.h"
#include "run/incumbent.h"
#include "run/outcome.h"
#include "run/snapshot.h"

namespace dualmargin::linear {

// Array: what the rows have, a RowVec of one score or dual variable, a RowMat of several.
template <class Array>
using Weights = std::conditional_t<std::is_same_v<Array, RowVec>, Vec, Mat>;
template <class Array>
using Intercept = std::conditional_t<std::is_same_v<Array, RowVec>, double, Vec>;

// w: weights of the (scaled) columns, a penalised intercept last; b: free intercepts (else 0).
template <class Array>
struct PrimalOf {
  Weights<Array> w;
  Intercept<Array> b{};
};
// a_i = phi'(z_i); of several classes a_i + e_{y_i} is kept (loss/class_losses.h).
template <class Array>
struct DualOf {
  Array a;
};
template <class Array>
struct SolutionOf : PrimalOf<Array>, DualOf<Array> {
  const char* solver = "";  // the one that finished
};

// With z_i = x_i'w + b, and with u = (1/W) sum_i omega_i a_i x_i: what a certificate is made of.
template <class Array>
struct ScoredPrimalOf : PrimalOf<Array> {
  Array z;
};
template <class Array>
struct SummedDualOf : DualOf<Array> {
  Weights<Array> u;
};

template <class Array>
using BestOf = Incumbent<PrimalOf<Array>, DualOf<Array>>;
template <class Array>
using SeenOf = Snapshot<PrimalOf<Array>, DualOf<Array>>;

using Primal = PrimalOf<RowVec>;
using Dual = DualOf<RowVec>;
using Solution = SolutionOf<RowVec>;
using ScoredPrimal = ScoredPrimalOf<RowVec>;
using SummedDual = SummedDualOf<RowVec>;
using Best = BestOf<RowVec>;
using Seen = SeenOf<RowVec>;

using JointPrimal = PrimalOf<RowMat>;
using JointDual = DualOf<RowMat>;
using JointSolution = SolutionOf<RowMat>;
using JointBest = BestOf<RowMat>;
using JointSeen = SeenOf<RowMat>;

}  // namespace dualmargin::linear
