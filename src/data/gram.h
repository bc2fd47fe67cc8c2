// A kernel as a data type. Its primal vector is the vector of scores f = K beta of a function
// f = sum_i beta_i k(x_i, .), so that dot(i, f) is f_i and axpy adds a column of K: a solver
// written for rows runs unchanged. |f|_H^2 = beta'f. The members are explained in dense.h.
#pragma once

#include "core/numeric.h"

namespace dualmargin {

class Gram {
 public:
  Gram(const double* kernel, Index n) : kernel_(kernel), n_(n) {}  // symmetric n x n

  Index n() const { return n_; }
  Index dim() const { return n_; }
  Index nonzeros(Index) const { return n_; }

  double dot(Index i, const Vec& f) const { return f[i]; }
  void axpy(Index i, double a, Vec& f) const { f += a * column(i); }
  double squared_norm(Index i) const { return kernel_[i * n_ + i]; }
  double inner(const Vec& f, const Vec& coef) const { return coef.dot(f); }

  template <class F>
  void for_each(Index i, F f) const {
    const double* k = kernel_ + i * n_;
    for (Index j = 0; j < n_; ++j) f(j, k[j]);
  }

 private:
  Eigen::Map<const Vec> column(Index i) const { return {kernel_ + i * n_, n_}; }

  const double* kernel_;
  Index n_;
};

}  // namespace dualmargin
