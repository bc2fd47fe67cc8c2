// A kernel matrix in memory, in single or double precision, or with room for it: its rows lie
// anywhere.
#pragma once

#include <memory>
#include <vector>

#include "base/team.h"
#include "rows/gram.h"

namespace dualmargin::kernel {

template <class Scalar>
class StoredKernel final : public KernelMatrix {
 public:
  // Room for n rows.
  StoredKernel(Index n, Team& team) : team_(team), rows_(n) {}
  // Values that lie elsewhere, or that it keeps.
  StoredKernel(const Scalar* values, Index n, Team& team) : StoredKernel(n, team) {
    for (Index i = 0; i < n; ++i) rows_[i] = values + i * n;
  }
  StoredKernel(std::unique_ptr<Scalar[]> values, Index n, Team& team)
      : StoredKernel(values.get(), n, team) {
    own_.push_back(std::move(values));
  }

  Index n() const override { return static_cast<Index>(rows_.size()); }
  double diagonal(Index i) const override { return rows_[i][i]; }
  void add_row(Index i, double a, Eigen::Ref<Vec> f) const override;
  std::unique_ptr<KernelBlock> block(const Index* rows, Index count) const override;
  KernelRow stored_row(Index i) const override { return {rows_[i]}; }
  double bytes() const override {
    return own_.empty() ? 0.0 : sizeof(Scalar) * held() * static_cast<double>(n());
  }

  bool has(Index i) const { return rows_[i] != nullptr; }
  // A row to keep, without values yet.
  Scalar* make_row(Index i) {
    own_.emplace_back(new Scalar[n()]);
    rows_[i] = own_.back().get();
    return own_.back().get();
  }

 private:
  class Block;

  // Rows that it keeps, of one array for all of them or one for each.
  double held() const;

  Team& team_;
  std::vector<const Scalar*> rows_;
  std::vector<std::unique_ptr<Scalar[]>> own_;
};

}  // namespace dualmargin::kernel
