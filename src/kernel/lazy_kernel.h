// A kernel matrix with room for all its rows, of which each is computed when it is asked for first:
// for methods that never ask for most of them. Rows that were not touched take no memory.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "kernel/arguments.h"
#include "kernel/stored_kernel.h"

namespace dualmargin::kernel {

class LazyKernel final : public KernelMatrix {
 public:
  LazyKernel(const Arguments& arguments, const KernelFunction& kernel)
      : arguments_(arguments),
        kernel_(kernel),
        values_(new double[n() * n()]),
        rows_(values_.get(), n()),
        known_(n(), false),
        diagonal_(Vec::Zero(n())) {
    for (Index i = 0; !kernel.isotropic() && i < n(); ++i) diagonal_[i] = arguments.pair(i, i);
    kernel_.apply(diagonal_.data(), n());
  }

  Index n() const override { return arguments_.n(); }
  double diagonal(Index i) const override { return diagonal_[i]; }
  void add_row(Index i, double a, Vec& f) const override {
    compute(&i, 1);
    rows_.add_row(i, a, f);
  }
  std::unique_ptr<KernelBlock> block(const Index* rows, Index count) const override {
    compute(rows, count);
    return rows_.block(rows, count);
  }
  KernelRow stored_row(Index i) const override {
    compute(&i, 1);
    return rows_.stored_row(i);
  }
  double bytes() const override {
    return 8.0 * static_cast<double>(std::count(known_.begin(), known_.end(), true)) *
           static_cast<double>(n());
  }

 private:
  // Those of the rows that are not known yet, all at once.
  void compute(const Index* rows, Index count) const {
    std::vector<Mixture> missing;
    for (Index k = 0; k < count; ++k) {
      if (known_[rows[k]]) continue;
      known_[rows[k]] = true;
      missing.push_back({rows[k], rows[k], 0});
    }
    const Index m = static_cast<Index>(missing.size());
    if (m == 0) return;
    Mat panel(m > 1 ? n() : 0, m);
    double* columns = m > 1 ? panel.data() : values_.get() + missing[0].first * n();
    arguments_.columns(missing.data(), m, 0, columns);
    kernel_.apply(columns, m * n());
    for (Index k = 0; k < m; ++k) {
      const Index i = missing[k].first;
      double* row = values_.get() + i * n();
      if (m > 1) std::copy(columns + k * n(), columns + (k + 1) * n(), row);
      row[i] = diagonal_[i];
    }
  }

  const Arguments& arguments_;
  KernelFunction kernel_;
  std::unique_ptr<double[]> values_;
  StoredKernel<double> rows_;
  mutable std::vector<bool> known_;
  Vec diagonal_;
};

}  // namespace dualmargin::kernel
