// Solutions of the robust family across the border: a start comes in, a report goes out. Weights
// are those of the columns of the problem inside and of the user's columns outside.
#pragma once

#include "border/border.h"
#include "robust/report.h"

namespace dualmargin::robust {

// Weights count relative to one another: divided by a power of two, which changes no digit, so that
// no sum of them overflows.
inline Vec relative_weights(const Rcpp::NumericVector& weights) {
  int exponent = 0;
  std::frexp(border::vec(weights).maxCoeff(), &exponent);
  return border::vec(weights).unaryExpr([exponent](double w) { return std::ldexp(w, -exponent); });
}

// The frame in which a robust problem is solved: x_j = (user's x_j - centre_j) / (scale_j unit),
// whose w_j is scale_j unit times the user's and whose free b is his plus sum_j w_j centre_j.
// In another unit of the rows it is the same problem with radius and label cost in that unit and
// the ridge in its square. The unit is a power of two, which changes no digit, and 1 but for rows
// that are far larger or smaller: the methods start from w = 0 and t = 1, and b has no unit.
class RobustFrame {
 public:
  RobustFrame(const border::RowStore& rows, bool penalized, bool free)
      : rows_(rows), penalized_(penalized), free_(free) {
    constexpr int near = 5, most = 400;
    double largest = penalized ? 1 : 0;
    each_entry([&](Index, Index, double v) { largest = std::max(largest, std::abs(v)); });
    const int exponent = largest > 0 && std::isfinite(largest) ? std::ilogb(largest) : 0;
    if (std::abs(exponent) <= near) return;
    unit_ = std::ldexp(1.0, std::clamp(exponent, -most, most));
    start_.push_back(0);
    each_entry([&](Index i, Index j, double v) {
      start_.resize(i + 1, static_cast<int>(values_.size()));
      values_.push_back(v / unit_);
      if (sparse_) column_.push_back(static_cast<int>(j));
    });
    start_.resize(n_ + 1, static_cast<int>(values_.size()));
  }

  template <class F>  // f(data): the rows of the problem
  void visit(F f) const {
    rows_.visit(bias(), [&](const auto& data) {
      if (unit_ == 1) {
        f(data);
      } else if constexpr (std::is_same_v<std::decay_t<decltype(data)>, Dense>) {
        f(Dense(values_.data(), n_, rows_.columns(), bias()));
      } else {
        f(Sparse(start_.data(), column_.data(), values_.data(), n_, rows_.columns(), bias()));
      }
    });
  }

  double unit() const { return unit_; }
  Settings settings(NormCone cone, double radius, double label_cost, double ridge) const {
    return {cone, radius / unit_, label_cost / unit_, ridge / unit_ / unit_, free_};
  }

  // (w, b) of the problem for the user's slopes and intercept, and the other way round
  void enter(const Vec& slopes, double intercept, Solution& s) const {
    const Index p = slopes.size();
    s.w = Vec::Zero(p + penalized_);
    s.w.head(p) = slopes.cwiseProduct(rows_.scales()) * unit_;
    if (penalized_) s.w[p] = intercept * unit_;
    if (free_) s.b = intercept + offset(slopes);
  }
  Vec slopes(const Solution& s) const {
    return s.w.head(rows_.scales().size()).cwiseQuotient(rows_.scales()) / unit_;
  }
  double intercept(const Solution& s) const {
    return penalized_ ? s.w[rows_.scales().size()] / unit_ : s.b - offset(slopes(s));
  }

 private:
  // the constant coordinate of the rows
  double bias() const { return penalized_ ? 1 / unit_ : 0.0; }

  template <class F>  // f(i, j, x_ij) for what is stored
  void each_entry(F f) {
    rows_.visit(0, [&](const auto& data) {
      n_ = data.n();
      sparse_ = !std::is_same_v<std::decay_t<decltype(data)>, Dense>;
      for (Index i = 0; i < n_; ++i) {
        data.for_each(i, [&](Index j, double v) { f(i, j, v); });
      }
    });
  }

  // sum_j w_j centre_j for the user's slopes
  double offset(const Vec& slopes) const {
    Sum sum;
    for (Index j = 0; j < slopes.size(); ++j) {
      if (rows_.centre()[j] != 0) sum.add(slopes[j] * rows_.centre()[j]);
    }
    return sum.value();
  }

  const border::RowStore& rows_;
  bool penalized_, free_, sparse_ = false;
  double unit_ = 1;
  Index n_ = 0;
  std::vector<double> values_;  // in another unit than 1
  std::vector<int> start_, column_;
};

inline Solution robust_start(SEXP start, int k, Index p, const RobustFrame& frame) {
  Solution s;
  if (Rf_isNull(start)) return s;
  const Rcpp::List list(start);
  const Rcpp::NumericMatrix coefficients = list["coefficients"];
  const Rcpp::NumericVector intercept = list["intercept"], scale = list["norm_bound"];
  Vec slopes(p);
  for (Index j = 0; j < p; ++j) slopes[j] = coefficients(j, k);
  frame.enter(slopes, intercept[k], s);
  s.t = scale[k] * frame.unit();
  if (!Rf_isNull(list["alpha"])) {
    const Rcpp::NumericMatrix alpha = list["alpha"], beta = list["beta"];
    s.alpha = border::vec(Rcpp::NumericVector(alpha.column(k)));
    s.beta = border::vec(Rcpp::NumericVector(beta.column(k)));
  }
  return s;
}

// `brief`, for a point of a path: nothing of length n.
inline Rcpp::List as_list(const Report& r, const RobustFrame& frame, bool brief) {
  Rcpp::List list = border::as_list(r, r.solution.solver, brief);
  list["intercept"] = frame.intercept(r.solution);
  list["norm_bound"] = r.solution.t / frame.unit();
  list["norm_limit"] = r.norm_limit / frame.unit();
  border::add_coefficients(list, frame.slopes(r.solution), brief);
  if (brief) return list;
  list["scores"] = r.solution.z;
  list["dual"] = r.solution.alpha;
  list["dual_flip"] = r.solution.beta;
  return list;
}

}  // namespace dualmargin::robust
