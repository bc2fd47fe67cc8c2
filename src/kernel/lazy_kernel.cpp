#include "kernel/lazy_kernel.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "kernel/stored_kernel.h"

namespace dualmargin::kernel {

namespace {

class LazyKernel final : public KernelMatrix {
 public:
  LazyKernel(const Arguments& arguments, const KernelFunction& kernel)
      : arguments_(arguments),
        kernel_(kernel),
        rows_(n(), arguments.team),
        diagonal_(Vec::Zero(n())) {
    for (Index i = 0; !kernel.isotropic() && i < n(); ++i) diagonal_[i] = arguments.value(i, i);
    kernel_.apply(diagonal_.data(), n());
  }

  Index n() const override { return arguments_.n(); }
  double diagonal(Index i) const override { return diagonal_[i]; }
  void add_row(Index i, double a, Eigen::Ref<Vec> f) const override {
    block(&i, 1)->add(Mat::Constant(1, 1, a), f);
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
    const std::lock_guard<std::mutex> lock(mutex_);
    return rows_.bytes();
  }

 private:
  // Those of the rows that are not known yet, all at once.
  void compute(const Index* rows, Index count) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<Mixture> missing;
    std::vector<double*> places;
    for (Index k = 0; k < count; ++k) {
      if (rows_.has(rows[k])) continue;
      places.push_back(rows_.make_row(rows[k]));
      missing.push_back({rows[k], rows[k], 0});
    }
    const Index m = static_cast<Index>(missing.size());
    if (m == 0) return;
    Mat panel(m > 1 ? n() : 0, m);
    double* columns = m > 1 ? panel.data() : places[0];
    arguments_.columns(missing.data(), m, 0, columns);
    kernel_.apply(columns, m * n());
    for (Index k = 0; k < m; ++k) {
      if (m > 1) std::copy(columns + k * n(), columns + (k + 1) * n(), places[k]);
      places[k][missing[k].first] = diagonal_[missing[k].first];
    }
  }

  const Arguments& arguments_;
  KernelFunction kernel_;
  mutable std::mutex mutex_;
  mutable StoredKernel<double> rows_;
  Vec diagonal_;
};

}  // namespace

std::unique_ptr<KernelMatrix> lazy_kernel(const Arguments& arguments,
                                          const KernelFunction& kernel) {
  return std::make_unique<LazyKernel>(arguments, kernel);
}

}  // namespace dualmargin::kernel
