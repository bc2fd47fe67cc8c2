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

#include "base/kept.h"
#include "base/square.h"
#include "rows/gram.h"

namespace dualmargin {

using ConstVecRef = Eigen::Ref<const Vec>;

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
  KernelSize(Index n, double errors);
  // Values of unknown origin: a few roundings each.
  explicit KernelSize(const KernelMatrix& kernel);

  // An upper bound on the values.
  double largest() const { return scale.maxCoeff() * scale.maxCoeff(); }
};

// a'Ka < 0 beyond rounding, for an a of length one with so many entries that are not zero.
struct NegativeSquare {
  double value = 0;
  Index support = 0;

  explicit operator bool() const { return value < 0; }
  void tell(double square, const ConstMatRef& a);
};

class FunctionSpace {
 public:
  // size: of the exact values, without the constant that a penalised intercept adds to both
  FunctionSpace(const Gram& working, const Gram& exact, const KernelSize& size, const Vec& weights,
                double lambda);
  // The same with another lambda: what is known of the rows is shared.
  FunctionSpace(const FunctionSpace& like, double lambda)
      : FunctionSpace(like.working_, like.exact_, like.known_, lambda) {}

  const Gram& working() const { return working_; }
  const Gram& exact() const { return exact_; }
  double lambda() const { return lambda_; }
  double total_weight() const;

  // The change of beta_i when a_i changes by one.
  double unit(Index i) const { return unit_[i]; }
  template <class A>
  auto coefficients(const A& a) const {
    return (unit_.asDiagonal() * a).eval();
  }
  double value(const ConstMatRef& beta, const ConstMatRef& f) const;
  // The part of the gap of a function that is `rest` away from f_a.
  double gap(const Gram& kernel, const ConstMatRef& rest, Tick& tick) const;
  // The same at most, without a product: no function is longer than its terms together.
  double largest_gap(const ConstMatRef& rest) const;
  // Is beta'f, each column's, the square of a length up to rounding? False for given values only,
  // and told in negative().
  bool squares(const ConstMatRef& beta, const ConstMatRef& f) const;
  // beta'f, of one function.
  Square square(const ConstVecRef& beta, const ConstVecRef& f) const;
  const NegativeSquare& negative() const { return negative_; }
  // Those of the last function asked for are kept: a method certifies the point it returns, and its
  // report asks once more.
  const Mat& exact_scores(const ConstMatRef& beta, Tick& tick) const;

  // (1/W) sum_i omega_i k(x_i, x_i)
  double mean_square() const;
  // The relative gap that rounding permits, as in linear/problem.h.
  double rounding_floor(double value) const;

  // 3/2 lambda |beta|'|e| for the errors e of the scores, summed in so many additions:
  //
  //   |e_i| <= u \sum_j (error_i + error_j + k) scale_i scale_j |\beta_j|.
  //
  // Where only K + E is known to be semidefinite, 0 <= E <= t S^2 with S = diag(scale) and t the
  // allowance, the problem meant is that of K + E. Its dual objective at a is that of K less
  //   \lambda/2 \beta'E\beta <= \lambda/2 t |S\beta|^2,
  // its scores are off by e = E\beta, and again |\beta'e| <= t |S\beta|^2.
  double rounding(const ConstMatRef& beta) const;
  // |e_i| of one function, and |E beta|_i <= scale_i t |S beta| of what the kernel may lack.
  Vec rounding_of_scores(const Vec& beta) const;
  // sqrt k(x_i, x_i) of the longest row, from above.
  double longest() const;

 private:
  // What hangs on the rows and their weights alone.
  struct Known;

  FunctionSpace(const Gram& working, const Gram& exact, std::shared_ptr<const Known> known,
                double lambda);

  // Of beta'f: of the scores, and of the sum, whose terms are together no larger than `sum` squared.
  double rounding_of_square(const ConstVecRef& beta) const;

  Gram working_, exact_;
  std::shared_ptr<const Known> known_;
  double lambda_;
  Vec unit_;
  OneThread thread_;
  mutable Mat known_beta_, known_f_;
  mutable NegativeSquare negative_;
};

}  // namespace dualmargin
