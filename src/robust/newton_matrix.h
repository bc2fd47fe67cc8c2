// The linear system of a robust interior point method in (w, b, t): the rows' second derivatives,
// the ridge and the cone. b is there only where the intercept is free.
#pragma once

#include "robust/cone.h"
#include "robust/robust_svm.h"
#include "robust/row_terms.h"

namespace dualmargin {

template <class Data>
class NewtonMatrix {
 public:
  NewtonMatrix(const RobustSvm<Data>& problem, Monitor& monitor)
      : problem_(problem),
        monitor_(monitor),
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
    return problem_.y.cwiseProduct(problem_.scores(x.head(d_), intercept(x), monitor_));
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
      monitor_.tick_rows(i);
    }
    x.head(d_) = w;
    if (problem_.free_intercept) x[d_] = b.value();
    return x;
  }

  // false: not positive definite in double precision
  bool factor(RowTerms::Curvature h, const Cone& cone) {
    epochs_ += 1;
    h_ = std::move(h);
    gram_.rebuild(h_.uu, monitor_);
    rest_ = Mat::Zero(size(), size());
    rest_.diagonal().head(d_).setConstant(problem_.ridge);
    cone.add_curvature(rest_);
    const Index t = size() - 1;
    A_ = rest_;
    A_.topLeftCorner(d_, d_) += gram_.matrix();
    if (problem_.free_intercept) {
      for (Index j = 0; j < d_; ++j) A_(d_, j) += gram_.cross(j);
      A_(d_, d_) += gram_.total();
    }
    if (h_.ut.size() > 0) A_.row(t) += gather(h_.ut).transpose();
    A_(t, t) += h_.tt;
    // Columns that add up to a constant leave nothing but rounding of the last pivot, empty columns
    // without ridge and radius not even that. What is added changes no step, since solve() refines.
    const double least = problem_.conditional() ? A_.diagonal().maxCoeff() : 0.0;
    for (double share : {1e-14, 1e-12, 1e-10}) {
      Mat regular = A_;
      regular.diagonal() *= 1 + share;
      regular.diagonal().array() += share * least;
      if (factor_.factor(std::move(regular), monitor_)) return true;
    }
    return false;
  }
  // The matrix is a sum in which rows at a kink weigh 1 / mu and may have rounded away what cone
  // and ridge say of the directions the rows leave open. `careful`: refined by its summands, at
  // the price of a pass over the data.
  Vec solve(const Vec& right, bool careful) {
    const auto by_matrix = [this](const Vec& x) -> Vec {
      return A_.template selfadjointView<Eigen::Lower>() * x;
    };
    const auto by_summands = [this](const Vec& x) -> Vec {
      const Index t = size() - 1;
      const Vec u = slopes(x);
      Vec force = h_.uu.cwiseProduct(u);
      if (h_.ut.size() > 0) force += x[t] * h_.ut;
      Vec image = gather(force);
      image[t] = h_.tt * x[t] + (h_.ut.size() > 0 ? h_.ut.dot(u) : 0.0);
      image += rest_.template selfadjointView<Eigen::Lower>() * x;
      return image;
    };
    return careful ? refined_solve(factor_, by_summands, right)
                   : refined_solve(factor_, by_matrix, right);
  }

  double take_epochs() { return std::exchange(epochs_, 0.0); }

 private:
  const RobustSvm<Data>& problem_;
  Monitor& monitor_;
  std::vector<Index> all_;
  WeightedGram<Data> gram_;
  Cholesky factor_;
  Index d_;
  RowTerms::Curvature h_;
  Mat rest_, A_;  // ridge and cone; everything
  double epochs_ = 0;
};

}  // namespace dualmargin
