// The last digits of a q >= 0 with A'q = 0, the proof that no direction separates the rows: what an
// elimination leaves of A'q is several times what the rounding of the sum explains.
//
//   eta = argmin |A'q + A' diag(q) eta|,   q <- max(0, q + q eta)
//
// on the rows with q > 0, by an orthogonal factorisation.
#pragma once

#include <Eigen/QR>

#include "hard/cost_model.h"
#include "hard/hard_margin.h"

namespace dualmargin::hard {

inline void refine_null(const HardMargin& problem, Vec& q, Tick& tick) {
  const MarginRows& rows = problem.rows;
  const std::vector<Index> support = nonzeros(q);
  const Index k = static_cast<Index>(support.size()), dim = rows.dim();
  if (rows.is_kernel() || k < 2) return;
  const double flops = static_cast<double>(dim) * static_cast<double>(k) * static_cast<double>(k);
  if (flops > CostModel::most_flops_of_null) return;
  Mat M = Mat::Zero(dim + problem.free_intercept, k);
  Vec row;
  for (Index r = 0; r < k; ++r) {
    row.setZero(dim);
    rows.add(support[r], q[support[r]], row);
    M.col(r).head(dim) = row;
    if (problem.free_intercept) M(dim, r) = q[support[r]] * rows.side(support[r]);
  }
  tick.poll();
  Eigen::CompleteOrthogonalDecomposition<Mat> factor;
  factor.setThreshold(1e-13);  // below lies rounding
  factor.compute(M);
  tick.poll();
  Vec share = Vec::Ones(k), rest = M * share;  // of q
  for (int round = 0; round < 4; ++round) {
    const Vec next = (share - factor.solve(rest)).cwiseMax(0), left = M * next;
    if (!(left.norm() < rest.norm()) || !(next.sum() > 0)) break;
    share = next;
    rest = left;
  }
  for (Index r = 0; r < k; ++r) q[support[r]] *= share[r];
}

}  // namespace dualmargin::hard
