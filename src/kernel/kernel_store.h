// Which form of the kernel matrix a fit works on. As much as the memory allows is stored; what is
// not stored is computed as it is asked for.
//
//   no mixed rows   n^2 kernel values, or those of the rows that are asked for
//   mixed rows      n0^2 arguments between the n0 original rows, however many rows are mixed
//   too large       nothing
//
// Where the tolerance permits arguments of mixed rows are in single precision: they pay for an
// exponential an entry in every epoch, which costs a third of one in double precision.
//
// Values that the user's function computes are judged where they are stored, semidefinite.h.
//
// Where the time is over before they are there the store is not complete: it holds nothing, and
// what is left to a fit is the zero function, whose certificate asks for no kernel value.
#pragma once

#include <functional>
#include <memory>

#include "kernel/kernel_function.h"
#include "kernel/semidefinite.h"

namespace dualmargin::kernel {

// mixture_kernel.cpp: the matrix of original and mixed rows together, its values computed row by row
// from the arguments between a row and the original ones: with a mixture z of two of those the
// argument is the same mixture of theirs, less s (1 - s) |z_i - z_j|^2 where it is a squared distance.
// Source: Arguments or StoredArguments. It and the rows outlive the matrix.
template <class Source>
std::unique_ptr<KernelMatrix> mixture_kernel(const Source& source, const MixedRows& rows,
                                             const KernelFunction& kernel);

// stored_kernel.cpp: values that lie elsewhere, or that it keeps.
std::unique_ptr<KernelMatrix> stored_kernel(const double* values, Index n, Team& team);
std::unique_ptr<KernelMatrix> stored_kernel(std::unique_ptr<double[]> values, Index n, Team& team);

// A matrix of which each row is computed when it is asked for first, and kept: for methods that
// never ask for most of them. Several threads may ask: a row stays where it is.
std::unique_ptr<KernelMatrix> lazy_kernel(const Arguments& arguments, const KernelFunction& kernel);

// Fills an n x count matrix with K(., rows).
using EvaluateKernel = std::function<void(const Index* rows, Index count, double* out)>;

class KernelStore {
 public:
  struct Budget {
    double bytes = 0, tol = 0;
    bool few_rows = false;  // will the method ask for some of the rows only?
  };

  // Arguments of the original rows; they outlive the store.
  KernelStore(const Arguments& computed, const MixedRows& mixed, const KernelFunction& kernel,
              const KernelSize& size, const Budget& budget, Tick& tick);

  // Values that lie in memory already, whose matrix has been judged.
  KernelStore(const double* values, Index n, double allowance, Team& team);

  // What is looked at of the values that somebody else computes, before the fit where they are
  // stored, else of those that it asks for: nothing, pairs of rows, or the whole matrix, which the
  // budget has to hold twice.
  enum class Check { nothing, minors, whole };

  // Values that somebody else computes; own: this package, which knows that they are right.
  KernelStore(const EvaluateKernel& evaluate, const Vec& diagonal, Check check, bool own,
              const Budget& budget, Team& team, Tick& tick);

  // What a method works on, and what its certificate is computed from.
  const KernelMatrix& working() const { return working_ ? *working_ : *exact_; }
  const KernelMatrix& exact() const { return exact_ ? *exact_ : *working_; }
  const KernelSize& size() const { return size_; }  // of the exact values
  // At lambda = 1, for others to be made from.
  FunctionSpace space(double constant, const Vec& weights) const;
  // Of values that the user's function computes.
  const Judgement& judged() const { return *judged_; }
  // False: the time was over before what is to be stored was computed.
  bool complete() const { return complete_; }
  // False: values are computed whenever they are asked for, perhaps by R.
  bool in_memory() const { return in_memory_ && complete_; }
  // What it holds or, where rows are computed as they are asked for, may come to hold.
  double reserved() const { return reserved_; }

 private:
  // Values that are not kept are looked at as they come.
  EvaluateKernel watched(EvaluateKernel evaluate, const Vec& diagonal) const;

  // The arguments of mixed rows, unless the time is over.
  template <class Scalar>
  void store(const Arguments& computed, const KernelFunction& kernel, Tick& tick);

  std::shared_ptr<const MixedRows> rows_;  // what a kernel that is not stored reads
  std::shared_ptr<const void> arguments_;
  std::unique_ptr<KernelMatrix> working_, exact_;
  KernelSize size_;
  std::shared_ptr<Judgement> judged_ = std::make_shared<Judgement>();
  double reserved_ = 0;
  bool complete_ = true, in_memory_ = true;
};

}  // namespace dualmargin::kernel
