#include "kernel/evaluated_kernel.h"

#include <utility>
#include <vector>

namespace dualmargin::kernel {

namespace {

class EvaluatedKernel final : public KernelMatrix {
 public:
  EvaluatedKernel(EvaluateKernel evaluate, Vec diagonal)
      : evaluate_(std::move(evaluate)), diagonal_(std::move(diagonal)) {}

  Index n() const override { return diagonal_.size(); }
  double diagonal(Index i) const override { return diagonal_[i]; }
  void add_row(Index i, double a, Eigen::Ref<Vec> f) const override {
    block(&i, 1)->add(Mat::Constant(1, 1, a), f);
  }
  std::unique_ptr<KernelBlock> block(const Index* rows, Index count) const override {
    auto held = std::make_unique<Block>(rows, n(), count);
    evaluate_(rows, count, held->values.data());
    return held;
  }
  double bytes() const override { return 0; }

 private:
  struct Block final : KernelBlock {
    Block(const Index* first, Index n, Index count)
        : rows(first, first + count), values(n, count) {}
    void square(Mat& out) const override {
      out.resize(values.cols(), values.cols());
      for (Index k = 0; k < values.cols(); ++k) {
        for (Index j = 0; j < values.cols(); ++j) out(j, k) = values(rows[j], k);
      }
    }
    void add(const ConstMatRef& coef, MatRef f) const override { f.noalias() += values * coef; }

    std::vector<Index> rows;
    Mat values;
  };

  EvaluateKernel evaluate_;
  Vec diagonal_;
};

}  // namespace

std::unique_ptr<KernelMatrix> evaluated_kernel(EvaluateKernel evaluate, const Vec& diagonal) {
  return std::make_unique<EvaluatedKernel>(std::move(evaluate), diagonal);
}

}  // namespace dualmargin::kernel
