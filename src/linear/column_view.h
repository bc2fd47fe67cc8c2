// A problem seen by columns, on a set of coordinates: products cost the entries of these columns.
// Where the set is small against its entries the quadratic model is a matrix, else it stays a
// product of columns.
#pragma once

#include <vector>

#include "algebra/normal_matrix.h"
#include "linear/proximal_newton.h"
#include "rows/columns.h"

namespace dualmargin::linear {

class ColumnView final : public View {
 public:
  ColumnView(const LinearProblem& problem, Run& run, const Columns& x);

  const Rows& rows() const override { return rows_; }
  const std::vector<Index>& coordinates() const override { return set_; }
  // A model over columns is solved to `precision` and expected to cost so many sweeps.
  void restrict_to(std::vector<Index> set, double precision, double sweeps);

  RowVec multiply(const Vec& w) override;
  void add_column(Index j, double step, RowVec& z);
  Vec transpose_multiply(const RowVec& coef, const std::vector<Index>& set) override;

  bool lifts() const override { return true; }
  Direction direction(const NewtonModel& model) override;

 private:
  double entries(const std::vector<Index>& set) const;

  const Rows& rows_;
  bool free_;
  Run& run_;
  const Columns& x_;
  double nonzeros_;
  std::vector<Index> set_;
  WeightedGram gram_;
  double precision_ = 0.1, sweeps_ = 0, last_sweeps_ = 0;
};

}  // namespace dualmargin::linear
