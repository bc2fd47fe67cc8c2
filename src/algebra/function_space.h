// The space H of a kernel k with the regulariser \frac\lambda2 |f|_H^2, and functions in it
//
//   f = \sum_i \beta_i k(x_i, \cdot),   |f|_H^2 = \beta' K \beta = \beta' f,
//
// several at once as columns of \beta and of the scores f = K \beta at the rows. The one that
// belongs to dual variables a has \beta_i = -\omega_i a_i / (W \lambda); beside it another function
// f adds \frac\lambda2 |f - f_a|_H^2 to the gap.
//
// While a method runs it works on kernel values in perhaps single precision; a certificate is made
// of exact ones. Of the scores f = K \beta + e the errors e are part of the gap: with them P - gap
// is D(a) up to \frac\lambda2 \beta^\top e, and P is off by about \lambda |\beta|^\top |e|.
#pragma once

#include <memory>
#include <utility>

#include "base/kept.h"
#include "base/rounding.h"
#include "base/square.h"
#include "rows/gram.h"

namespace dualmargin {

// How large the values of a kernel matrix are and how exact: |K_ij| <= scale_i scale_j, and K_ij is
// wrong by no more than u (error_i + error_j) scale_i scale_j, u = 2^-53: errors are roundings, of a
// sum of m terms as many as base/rounding.h says.
struct KernelSize {
  Vec scale, error;
  double mixing = 0;  // how far apart, in units of the kernel's width, the parents of a mixture are
  // Of values that the user gives: K + allowance diag(scale)^2 is positive semidefinite,
  // kernel/semidefinite.h; and a run tells of an a'Ka < 0, which is no fault of this package.
  double allowance = 0;
  bool given = false;

  KernelSize() = default;
  KernelSize(Index n, double errors) : scale(n), error(Vec::Constant(n, errors)) {}
  // Values of unknown origin: a few roundings each.
  explicit KernelSize(const KernelMatrix& kernel) : KernelSize(kernel.n(), 8) {
    for (Index i = 0; i < scale.size(); ++i) scale[i] = std::sqrt(std::abs(kernel.diagonal(i)));
  }

  // An upper bound on the values.
  double largest() const { return scale.maxCoeff() * scale.maxCoeff(); }
};

// a'Ka < 0 beyond rounding, for an a of length one with so many entries that are not zero.
struct NegativeSquare {
  double value = 0;
  Index support = 0;

  explicit operator bool() const { return value < 0; }
  void tell(double square, const ConstMatRef& a) {
    value = square / a.squaredNorm();
    support = (a.array() != 0).count();
  }
};

class FunctionSpace {
 public:
  // size: of the exact values, without the constant that a penalised intercept adds to both
  FunctionSpace(const Gram& working, const Gram& exact, const KernelSize& size, const Vec& weights,
                double lambda)
      : FunctionSpace(working, exact, std::make_shared<const Known>(exact, size, weights), lambda) {
  }
  // The same with another lambda: what is known of the rows is shared.
  FunctionSpace(const FunctionSpace& like, double lambda)
      : FunctionSpace(like.working_, like.exact_, like.known_, lambda) {}

  const Gram& working() const { return working_; }
  const Gram& exact() const { return exact_; }
  double lambda() const { return lambda_; }
  double total_weight() const { return known_->total_weight; }

  // The change of beta_i when a_i changes by one.
  double unit(Index i) const { return unit_[i]; }
  template <class A>
  auto coefficients(const A& a) const {
    return (unit_.asDiagonal() * a).eval();
  }
  double value(const ConstMatRef& beta, const ConstMatRef& f) const {
    double total = 0;
    for (Index c = 0; c < beta.cols(); ++c) total += product(beta.col(c), f.col(c));
    return 0.5 * lambda_ * total;
  }
  // The part of the gap of a function that is `rest` away from f_a.
  double gap(const Gram& kernel, const ConstMatRef& rest, Tick& tick) const {
    const Mat f = kernel.multiply(rest, tick);
    return squares(rest, f) ? value(rest, f) : std::nan("");
  }
  // Is beta'f, each column's, the square of a length up to rounding? False for given values only,
  // and told in negative().
  bool squares(const ConstMatRef& beta, const ConstMatRef& f) const {
    for (Index c = 0; known_->given && c < beta.cols(); ++c) {
      const Square length = square(beta.col(c), f.col(c));
      if (length.possible() || !std::isfinite(length.computed)) continue;
      negative_.tell(length.computed, beta.col(c));
      return false;
    }
    return true;
  }
  // beta'f, of one function.
  template <class B, class F>
  Square square(const B& beta, const F& f) const {
    return {product(beta, f), rounding_of_square(beta)};
  }
  const NegativeSquare& negative() const { return negative_; }
  // Those of the last function asked for are kept: a method certifies the point it returns, and its
  // report asks once more.
  const Mat& exact_scores(const ConstMatRef& beta, Tick& tick) const {
    if (known_beta_.rows() != beta.rows() || known_beta_ != beta) {
      known_f_ = exact_.multiply(beta, tick);
      known_beta_ = beta;
    }
    return known_f_;
  }

  // (1/W) sum_i omega_i k(x_i, x_i)
  double mean_square() const {
    return known_->mean_square.get([&] {
      const Vec& weights = known_->weights;
      const double sum =
          sum_over(weights.size(), [&](Index i) { return weights[i] * working_.squared_norm(i); });
      return sum / known_->total_weight;
    });
  }
  // The relative gap that rounding permits, as in linear/report.h.
  double rounding_floor(double value) const {
    const double largest = known_->largest_square.get([&] {
      const Vec& weights = known_->weights;
      double most = 0;
      for (Index i = 0; i < weights.size(); ++i) {
        if (weights[i] > 0) most = std::max(most, working_.squared_norm(i));
      }
      return most;
    });
    return value > 0 ? 4e-32 * largest / (2 * lambda_ * value) : 0.0;
  }

  // 3/2 lambda |beta|'|e| for the errors e of the scores, summed in so many additions:
  //
  //   |e_i| <= u \sum_j (error_i + error_j + k) scale_i scale_j |\beta_j|.
  //
  // Where only K + E is known to be semidefinite, 0 <= E <= t S^2 with S = diag(scale) and t the
  // allowance, the problem meant is that of K + E. Its dual objective at a is that of K less
  //   \lambda/2 \beta'E\beta <= \lambda/2 t |S\beta|^2,
  // its scores are off by e = E\beta, and again |\beta'e| <= t |S\beta|^2.
  double rounding(const ConstMatRef& beta) const {
    double total = 0;
    for (Index c = 0; c < beta.cols(); ++c) total += 1.5 * rounding_of_square(beta.col(c));
    return lambda_ * total;
  }
  // |e_i| of one function, and |E beta|_i <= scale_i t |S beta| of what the kernel may lack.
  Vec rounding_of_scores(const Vec& beta) const {
    const Known& of = *known_;
    const double sum = of.scale.dot(beta.cwiseAbs()), errors = of.error.dot(beta.cwiseAbs());
    const double lack = of.allowance > 0 ? of.allowance * of.scale.cwiseProduct(beta).norm() : 0.0;
    return (rounding::unit * sum) * (of.error + of.k * of.scale) +
           (rounding::unit * errors + lack) * of.scale;
  }
  // sqrt k(x_i, x_i) of the longest row, from above.
  double longest() const { return known_->scale.maxCoeff(); }

 private:
  // What hangs on the rows and their weights alone.
  struct Known {
    Vec weights;
    double total_weight;
    Vec scale, error;
    double k, allowance;
    bool given;
    mutable Kept<double> mean_square, largest_square;

    Known(const Gram& exact, const KernelSize& size, const Vec& weights_)
        : weights(weights_),
          total_weight(accurate_sum(weights.size(), [&](Index i) { return weights[i]; })),
          scale((size.scale.array().square() + exact.constant()).sqrt()),
          error(scale.array() * size.error.array()),
          k(4 + exact.additions() +
            rounding::of_sum(static_cast<double>(weights.size())) / rounding::unit),
          allowance(size.allowance),
          given(size.given) {}
  };

  FunctionSpace(const Gram& working, const Gram& exact, std::shared_ptr<const Known> known,
                double lambda)
      : working_(working),
        exact_(exact),
        known_(std::move(known)),
        lambda_(lambda),
        unit_(known_->weights / (-lambda * known_->total_weight)) {}

  template <class B, class F>
  static double product(const B& beta, const F& f) {
    return sum_over(beta.size(), [&](Index i) { return beta[i] * f[i]; });
  }
  // Of beta'f: of the scores, and of the sum, whose terms are together no larger than `sum` squared.
  template <class Column>
  double rounding_of_square(const Column& beta) const {
    const Known& of = *known_;
    const double sum = of.scale.dot(beta.cwiseAbs()), errors = of.error.dot(beta.cwiseAbs());
    const double lack =
        of.allowance > 0 ? of.allowance * of.scale.cwiseProduct(beta).squaredNorm() : 0.0;
    return rounding::unit * sum * (2 * errors + of.k * sum) + lack;
  }

  Gram working_, exact_;
  std::shared_ptr<const Known> known_;
  double lambda_;
  Vec unit_;
  mutable Mat known_beta_, known_f_;
  mutable NegativeSquare negative_;
};

}  // namespace dualmargin
