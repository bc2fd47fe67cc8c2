// Which form of the kernel matrix a fit works on. As much as the memory allows is stored; what is
// not stored is computed as it is asked for.
//
//   no mixed rows   n^2 kernel values, or those of the rows that are asked for
//   mixed rows      n0^2 arguments between the n0 original rows, however many rows are mixed
//   too large       nothing
//
// Where the tolerance permits, in single precision: mixed rows pay for an exponential an entry in
// every epoch, which costs a third of one in double precision. Stored values are as quick to read
// either way, and the certificate's pass over exact ones costs several epochs; they are kept in
// single precision only if they do not fit otherwise.
//
// Values that the user's function computes are judged where they are stored, semidefinite.h.
//
// Where the time is over before they are there the store is not complete: it holds nothing, and
// what is left to a fit is the zero function, whose certificate asks for no kernel value.
#pragma once

#include <memory>
#include <numeric>
#include <utility>

#include "kernel/evaluated_kernel.h"
#include "kernel/kernel_size.h"
#include "kernel/lazy_kernel.h"
#include "kernel/mixture_kernel.h"
#include "kernel/semidefinite.h"
#include "kernel/stored_kernel.h"

namespace dualmargin::kernel {

class KernelStore {
 public:
  struct Budget {
    double bytes = 0, tol = 0;
    bool few_rows = false;  // will the method ask for some of the rows only?
  };

  // Arguments of the original rows; they outlive the store.
  KernelStore(const Arguments& computed, const MixedRows& mixed, const KernelFunction& kernel,
              const KernelSize& size, const Budget& budget, Tick& tick)
      : rows_(std::make_shared<const MixedRows>(mixed)), size_(size) {
    const MixedRows& rows = *rows_;
    const double values = static_cast<double>(computed.n()) * static_cast<double>(computed.n());
    const bool single = budget.tol >= single_tol &&
                        (rows.mixed() > 0 || 8 * values > budget.bytes) &&
                        size_.mixing < most_mixing && size_.scale.maxCoeff() < most_scale;
    const bool lazy = budget.few_rows && rows.mixed() == 0 && !single;
    reserved_ = values * (single ? 4 : 8);
    if (reserved_ > budget.bytes) {
      reserved_ = 0;
    } else if (lazy) {
      working_ = std::make_unique<LazyKernel>(computed, kernel);
    } else {
      complete_ = single ? store<float>(computed, rows, kernel, tick)
                         : store<double>(computed, rows, kernel, tick);
      if (!complete_) reserved_ = 0;
    }
    in_memory_ = working_ != nullptr;
    if (single || !working_) {
      exact_ = std::make_unique<MixtureKernel<Arguments>>(computed, rows, kernel);
    }
  }

  // Values that lie in memory already, whose matrix has been judged.
  KernelStore(const double* values, Index n, double allowance, Team& team)
      : working_(std::make_unique<StoredKernel<double>>(values, n, team)), size_(*working_) {
    size_.scale = Semidefinite::scales(Semidefinite::Values(values, n, n));
    size_.allowance = allowance;
    size_.given = true;
  }

  // What is looked at of the values that somebody else computes, before the fit where they are
  // stored, else of those that it asks for: nothing, pairs of rows, or the whole matrix, which the
  // budget has to hold twice.
  enum class Check { nothing, minors, whole };

  // Values that somebody else computes; own: this package, which knows that they are right.
  KernelStore(const EvaluateKernel& evaluate, Vec diagonal, Check check, bool own,
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
        working_ = std::make_unique<StoredKernel<double>>(std::move(values), n, team);
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

  // What a method works on, and what its certificate is computed from.
  const KernelMatrix& working() const { return working_ ? *working_ : *exact_; }
  const KernelMatrix& exact() const { return exact_ ? *exact_ : *working_; }
  const KernelSize& size() const { return size_; }  // of the exact values
  // At lambda = 1, for others to be made from.
  FunctionSpace space(double constant, const Vec& weights) const {
    return FunctionSpace(Gram(working(), constant), Gram(exact(), constant), size_, weights, 1);
  }
  // Of values that the user's function computes.
  const Judgement& judged() const { return *judged_; }
  // False: the time was over before what is to be stored was computed.
  bool complete() const { return complete_; }
  // False: values are computed whenever they are asked for, perhaps by R.
  bool in_memory() const { return in_memory_ && complete_; }
  // What it holds or, where rows are computed as they are asked for, may come to hold.
  double reserved() const { return reserved_; }

 private:
  // The relative gap that values in single precision are good enough for while a method runs.
  static constexpr double single_tol = 1e-5;
  // Single precision would make errors of more than 1e-4, or infinite products of values.
  static constexpr double most_mixing = 250, most_scale = 1e8;

  // Values that are not kept are looked at as they come.
  EvaluateKernel watched(EvaluateKernel evaluate, const Vec& diagonal) const {
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

  // False: the time is over.
  template <class Scalar>
  bool store(const Arguments& computed, const MixedRows& rows, const KernelFunction& kernel,
             Tick& tick) {
    if (rows.mixed() == 0) {
      const auto evaluate = [&](double* values, Index n) { kernel.apply(values, n); };
      auto values = square_array<Scalar>(computed, evaluate, tick);
      if (!values) return false;
      working_ =
          std::make_unique<StoredKernel<Scalar>>(std::move(values), computed.n(), computed.team);
      return true;
    }
    auto stored =
        std::make_shared<const StoredArguments<Scalar>>(computed, kernel.isotropic(), tick);
    if (!stored->complete()) return false;
    working_ = std::make_unique<MixtureKernel<StoredArguments<Scalar>>>(*stored, rows, kernel);
    arguments_ = std::move(stored);
    return true;
  }

  std::shared_ptr<const MixedRows> rows_;  // what a kernel that is not stored reads
  std::shared_ptr<const void> arguments_;
  std::unique_ptr<KernelMatrix> working_, exact_;
  KernelSize size_;
  std::shared_ptr<Judgement> judged_ = std::make_shared<Judgement>();
  double reserved_ = 0;
  bool complete_ = true, in_memory_ = true;
};

}  // namespace dualmargin::kernel
