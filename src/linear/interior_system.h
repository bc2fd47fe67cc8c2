// The kinks of a hinge problem as affine functions q = offset + G v of v = (w, b), and the linear
// system (l2 + G' diag(t) G) dv = r that an interior point method solves. First the rows,
// q_i = 1 - y_i (x_i'w + b); then, where l1 > 0, the coordinates, q_j = w_j, since
// l1 |w_j| = 2 l1 max(0, w_j) - l1 w_j.
#pragma once

#include "algebra/mehrotra.h"
#include "linear/erm.h"

namespace dualmargin::linear {

template <class Data>
class InteriorSystem {
 public:
  // rows: those of positive weight
  InteriorSystem(const Erm<Data>& problem, const std::vector<Index>& rows, Run& run)
      : problem_(problem),
        rows_(rows),
        run_(run),
        gram_(problem.x, rows),
        m_(static_cast<Index>(rows.size())),
        p_(problem.x.dim()),
        signs_(problem.penalty.l1 > 0 ? p_ : 0) {}

  Index size() const { return p_ + problem_.free_intercept; }
  Index terms() const { return m_ + signs_; }

  // G v
  Vec slopes(const Vec& v) {
    Vec q(terms());
    const Vec w = v.head(p_);
    const double b = problem_.free_intercept ? v[p_] : 0.0;
    for (Index k = 0; k < m_; ++k) {
      q[k] = -problem_.y[rows_[k]] * (problem_.x.dot(rows_[k], w) + b);
      run_.tick().row(k);
    }
    q.tail(signs_) = w.head(signs_);
    epochs_ += 0.5;
    return q;
  }

  // G't
  Vec gather(const Vec& t) {
    Vec w = Vec::Zero(p_);
    Sum b;
    for (Index k = 0; k < m_; ++k) {
      const double coef = -problem_.y[rows_[k]] * t[k];
      problem_.x.axpy(rows_[k], coef, w);
      b.add(coef);
      run_.tick().row(k);
    }
    w.head(signs_) += t.tail(signs_);
    epochs_ += 0.5;
    Vec v(size());
    v.head(p_) = w;
    if (problem_.free_intercept) v[p_] = b.value();
    return v;
  }

  // false: not positive definite in double precision, or the time is over
  bool factor(const Vec& t) {
    t_ = t;
    epochs_ += 1;
    gram_.rebuild(t.head(m_), run_);
    if (!run_.in_time()) return false;
    Mat A = gram_.bordered(problem_.free_intercept, problem_.penalty.l2);
    A.diagonal().head(signs_) += t.tail(signs_);
    // Columns that add up to a constant leave nothing but rounding of the last pivot. What is added
    // to the diagonal changes no step, since solve() refines with the matrix itself.
    const auto raise = [](Mat& M, double share) { M.diagonal() *= 1 + share; };
    return factor_.factor(std::move(A), {1e-14, 1e-12, 1e-10}, raise, run_);
  }

  Vec solve(const Vec& right) {
    const auto apply = [this](const Vec& v) {
      Vec image = gather(t_.cwiseProduct(slopes(v)));
      image.head(p_) += problem_.penalty.l2 * v.head(p_);
      return image;
    };
    return refined_solve(factor_, apply, right, run_);
  }

  double take_epochs() { return std::exchange(epochs_, 0.0); }

 private:
  const Erm<Data>& problem_;
  const std::vector<Index>& rows_;
  Run& run_;
  WeightedGram<Data> gram_;
  Cholesky factor_;
  Index m_, p_, signs_;
  Vec t_;
  double epochs_ = 0;
};

}  // namespace dualmargin::linear
