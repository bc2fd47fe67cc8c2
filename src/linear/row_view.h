// A problem seen by rows, all of them or a sample. The Newton direction of a ridge problem,
//
//   min  gradient'delta + r delta_b + 1/2 sum_i h_i (x_i'delta + delta_b)^2 + ridge/2 |delta|^2,
//
// is one linear system in three shapes: over the coordinates (p x p), over the active rows (m x m,
// by the Woodbury identity), or by conjugate gradients when both matrices would be too large. With
// an l1 part or bounds it is that of a model over the coordinates, or over a working set of them.
#pragma once

#include <vector>

#include "algebra/normal_matrix.h"
#include "linear/proximal_newton.h"

namespace dualmargin::linear {

class RowView final : public View {
 public:
  RowView(const LinearProblem& problem, Run& run, const Rows& rows);

  const Rows& rows() const override { return rows_; }
  const std::vector<Index>& coordinates() const override { return all_; }

  RowVec multiply(const Vec& w) override;
  Vec transpose_multiply(const RowVec& coef, const std::vector<Index>&) override;
  Direction direction(const NewtonModel& m) override;
  bool lifts() const override { return false; }

 private:
  void spend(double passes) { run_.spend(passes * share_); }

  // Where nothing bounds the curvature from below even small weights count, in the end.
  void update(const RowVec& h, bool exact);

  // The coordinates that matter: those in use and those that want to enter.
  Direction by_set(const NewtonModel& m);

  Direction by_system(const NewtonModel& m);

  // false, here and below: the matrix is singular in double precision, or the time is over.
  bool over_coordinates(const RowVec& h, const Vec& gradient, double r, Direction& d);

  // delta = -(gradient + X's) / ridge with s_i = h_i (x_i'delta + delta_b), so that over active
  // rows
  //   (K + ridge diag(1/h)) s = -X gradient + ridge delta_b 1   and   sum s = -r.
  bool over_rows(const std::vector<Index>& active, const RowVec& h, const Vec& gradient, double r,
                 Direction& d);

  // x_i'x_j for the active rows. Kept for all rows when there are few, since it never changes.
  Mat products(const std::vector<Index>& active);

  // Jacobi-preconditioned, to a twentieth of the residual: the line search makes up for the rest.
  // touched: nonzeros of the rows with curvature, the only ones that are visited.
  void conjugate_gradients(const RowVec& h, double touched, const Vec& gradient, double r,
                           Direction& d);

  // (w, b) as one vector, without b where the intercept is not free.
  Vec joined(const Vec& w, double b) const;
  Direction split(const Vec& v) const;

  Run& run_;
  const Rows rows_;
  bool free_;
  double share_;  // of all rows
  std::vector<Index> all_;
  WeightedGram gram_;
  Mat products_;
  int updates_ = 0;
  double ridge_ = 0;
  std::vector<Index> free_columns_;  // no penalty on these
  Vec ridges_;
};

}  // namespace dualmargin::linear
