// The linear system of a robust interior point method in (w, b, t): the rows' second derivatives,
// the ridge and the cone. b is there only where the intercept is free.
#pragma once

#include "robust/cone.h"
#include "robust/robust_svm.h"
#include "robust/row_terms.h"

namespace dualmargin::robust {

template <class Data>
class NewtonMatrix {
 public:
  NewtonMatrix(const RobustSvm<Data>& problem, Run& run)
      : problem_(problem),
        run_(run),
        all_(problem.n()),
        gram_(problem.x, all_),
        d_(problem.x.dim()) {
    std::iota(all_.begin(), all_.end(), Index{0});
  }

  Index size() const { return d_ + problem_.free_intercept + 1; }
  double intercept(const Vec& x) const { return problem_.free_intercept ? x[d_] : 0.0; }

  // u_i = y_i (x_i'w + b)
  Vec slopes(const Vec& x) {
    epochs_ += 0.5;
    return problem_.y.cwiseProduct(problem_.scores(x.head(d_), intercept(x), run_));
  }
  // sum_i a_i y_i (x_i, 1), the place of t left zero
  Vec gather(const Vec& a) {
    epochs_ += 0.5;
    Vec w = Vec::Zero(d_), x = Vec::Zero(size());
    Sum b;
    for (Index i = 0; i < problem_.n(); ++i) {
      const double coef = a[i] * problem_.y[i];
      problem_.x.axpy(i, coef, w);
      b.add(coef);
      run_.tick().row(i);
    }
    x.head(d_) = w;
    if (problem_.free_intercept) x[d_] = b.value();
    return x;
  }

  // false: not positive definite in double precision, or the time is over
  bool factor(const RowTerms::Curvature& h, const Cone& cone) {
    epochs_ += 1;
    gram_.rebuild(h.uu, run_);
    if (!run_.in_time()) return false;
    const Index t = size() - 1;
    Mat A = gram_.bordered(problem_.free_intercept, problem_.ridge, 1);
    if (h.ut.size() > 0) A.row(t) += gather(h.ut).transpose();
    A(t, t) += h.tt;
    cone.add_curvature(A);
    // What the rows leave open, cone and ridge may hold by less than the rounding of the rows'
    // 1 / mu. A proximal term of that size, sum_j share A_jj dx_j^2 / 2, keeps such directions from
    // moving far for nothing. It is not refined away: what it leaves of the dual residual falls
    // with dx. Empty columns without ridge and radius have no diagonal of their own.
    const double least = problem_.conditional() ? A.diagonal().maxCoeff() : 0.0;
    const auto raise = [least](Mat& M, double share) {
      M.diagonal() *= 1 + share;
      M.diagonal().array() += share * least;
    };
    return factor_.factor(std::move(A), {1e-15, 1e-13, 1e-11}, raise, run_);
  }
  Vec solve(const Vec& right) const { return factor_.solve(right); }

  double take_epochs() { return std::exchange(epochs_, 0.0); }

 private:
  const RobustSvm<Data>& problem_;
  Run& run_;
  std::vector<Index> all_;
  WeightedGram<Data> gram_;
  Cholesky factor_;
  Index d_;
  double epochs_ = 0;
};

}  // namespace dualmargin::robust
