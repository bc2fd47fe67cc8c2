#include "kernel/kernel_store.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "kernel/stored_arguments.h"

namespace dualmargin::kernel {

namespace {

// The relative gap that values in single precision are good enough for while a method runs.
constexpr double single_tol = 1e-5;
// Single precision would make errors of more than 1e-4, or infinite products of values.
constexpr double most_mixing = 250, most_scale = 1e8;

// A matrix whose rows somebody else evaluates, a block at a time: beyond the memory that may be used
// for it, a kernel given as a function.
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

KernelStore::KernelStore(const Arguments& computed, const MixedRows& mixed,
                         const KernelFunction& kernel, const KernelSize& size, const Budget& budget,
                         Tick& tick)
    : rows_(std::make_shared<const MixedRows>(mixed)), size_(size) {
  const MixedRows& rows = *rows_;
  const double values = static_cast<double>(computed.n()) * static_cast<double>(computed.n());
  const bool single = rows.mixed() > 0 && budget.tol >= single_tol && size_.mixing < most_mixing &&
                      size_.scale.maxCoeff() < most_scale;
  reserved_ = values * (single ? 4 : 8);
  if (reserved_ > budget.bytes) {
    reserved_ = 0;
  } else if (rows.mixed() > 0) {
    single ? store<float>(computed, kernel, tick) : store<double>(computed, kernel, tick);
  } else if (budget.few_rows) {
    working_ = lazy_kernel(computed, kernel);
  } else {
    auto stored = square_array<double>(
        computed, [&](double* v, Index n) { kernel.apply(v, n); }, tick);
    if (stored) working_ = stored_kernel(std::move(stored), computed.n(), computed.team);
    complete_ = working_ != nullptr;
  }
  if (!complete_) reserved_ = 0;
  in_memory_ = working_ != nullptr;
  if (single || !working_) {
    exact_ = mixture_kernel(computed, rows, kernel);
  }
}

KernelStore::KernelStore(const double* values, Index n, double allowance, Team& team)
    : working_(stored_kernel(values, n, team)), size_(*working_) {
  size_.scale = Semidefinite::scales(Semidefinite::Values(values, n, n));
  size_.allowance = allowance;
  size_.given = true;
}

KernelStore::KernelStore(const EvaluateKernel& evaluate, const Vec& diagonal, Check check, bool own,
                         const Budget& budget, Team& team, Tick& tick) {
  constexpr Index width = 64;
  const Index n = diagonal.size();
  reserved_ = 8.0 * static_cast<double>(n) * static_cast<double>(n);
  const bool whole = check == Check::whole;
  if (reserved_ <= budget.bytes) {
    std::unique_ptr<double[]> values(new double[n * n]);
    std::vector<Index> rows(n);
    std::iota(rows.begin(), rows.end(), Index{0});
    Index first = 0;
    for (; first < n && (first == 0 || tick.poll()); first += width) {
      evaluate(rows.data() + first, std::min(width, n - first), values.get() + first * n);
    }
    complete_ = first >= n;
    if (complete_ && check != Check::nothing) {
      *judged_ = Semidefinite::judge(Semidefinite::Values(values.get(), n, n), whole, tick);
    }
    if (complete_) {
      working_ = stored_kernel(std::move(values), n, team);
    }
  }
  if (!working_) {
    reserved_ = 0;
    in_memory_ = false;
    working_ = std::make_unique<EvaluatedKernel>(
        check == Check::nothing ? evaluate : watched(evaluate, diagonal), diagonal);
  }
  size_ = KernelSize(*working_);
  if (judged_->scale.size() > 0) size_.scale = judged_->scale;
  size_.allowance = judged_->allowance;
  size_.given = !own;
}

FunctionSpace KernelStore::space(double constant, const Vec& weights) const {
  return FunctionSpace(Gram(working(), constant), Gram(exact(), constant), size_, weights, 1);
}

EvaluateKernel KernelStore::watched(EvaluateKernel evaluate, const Vec& diagonal) const {
  const Vec scale = diagonal.cwiseMax(0).cwiseSqrt();
  const double top = scale.maxCoeff();
  return [=, judged = judged_](const Index* rows, Index count, double* out) {
    evaluate(rows, count, out);
    for (Index k = 0; !judged->shown && k < count; ++k) {
      for (Index i = 0; i < scale.size(); ++i) {
        const double value = out[k * scale.size() + i], s = scale[i] * scale[rows[k]];
        // beside rows of next to no length rounding is as large
        if (std::abs(value) - s <= most_allowance * (s + top * top)) continue;
        judged->shown = {Indefinite::Kind::minor, i, rows[k], value, 0, Vec()};
        break;
      }
    }
  };
}

template <class Scalar>
void KernelStore::store(const Arguments& computed, const KernelFunction& kernel, Tick& tick) {
  auto stored = std::make_shared<const StoredArguments<Scalar>>(computed, kernel.isotropic(), tick);
  complete_ = stored->complete();
  if (!complete_) return;
  working_ = mixture_kernel(*stored, *rows_, kernel);
  arguments_ = std::move(stored);
}

}  // namespace dualmargin::kernel
