// The losses of all rows, weighted means over W = sum_i omega_i, and the free intercept b. Its
// optimality condition is sum_i omega_i a_i = 0: on the primal side a scalar equation for b, on the
// dual side a constraint that rounding must not be allowed to break. Where b is not free it is 0.
//
// With an offset o_i the loss of a row is phi(z + o_i; y_i) as a function of the score z without
// it, and its conjugate phi*(a; y_i) - a o_i: scores are those of w and b alone everywhere else.
#pragma once

#include <vector>

#include "loss/loss.h"
#include "rows/row_sums.h"

namespace dualmargin {

// Slopes (or dual steps) of the losses and their derivatives.
struct Slopes {
  RowVec slope, curvature;
};

// The subdifferential of a piecewise linear loss.
struct SlopeRange {
  double low, high;
};

class RowLosses {
  template <class Sum>
  auto in_mean(Sum sum) const {
    if constexpr (std::is_arithmetic_v<Sum>) {
      return sum / total_weight;
    } else {
      for (double& s : sum) s /= total_weight;
      return sum;
    }
  }

 public:
  using Array = RowVec;

  const LossPtr held;
  const Loss& loss;
  const RowVec &y, &omega;
  const bool free_intercept;

 private:
  RowSums over_;

 public:
  const double total_weight;
  const RowVec* const offset;  // null: none

  // total: the sum of the weights, by rounding::of_accurate_sum()
  RowLosses(LossPtr loss_, const RowVec& y_, const RowVec& omega_, bool free, Team& team,
            double total, const RowVec* offset_ = nullptr);
  RowLosses(LossPtr loss_, const RowVec& y_, const RowVec& omega_, bool free, Team& team,
            const RowVec* offset_ = nullptr);

  Index n() const { return y.size(); }
  static Index classes() { return 1; }
  bool smooth() const { return loss.smooth(); }
  // 1 for a loss that is not smooth
  double gamma() const { return loss.smooth() ? loss.gamma() : 1; }

  // (1/W) sum_i term(i)
  template <class Term>
  auto mean_over(Term term) const {
    return in_mean(over_.sum(term));
  }

  // (1/W) sum omega phi(z)
  double value(const RowSpan& z) const;
  // (1/W) sum omega phi*(theta a) and its derivative in theta
  std::array<double, 2> conjugate(const RowSpan& a, double theta) const;
  FenchelSums fenchel(const RowSpan& z, const RowSpan& a, double theta) const;

  // At z + b: argmax_t  t (z + b) - phi*(t) - q/2 (t - a)^2 for each row; the slope for q = 0.
  void dual_steps(const RowSpan& z, double b, const RowSpan& a, double q, Slopes& at) const;
  RowVec slopes(const RowSpan& z) const;
  // Those of a smooth loss at z + t d; (1/W) sum omega phi along d, its first and second derivative.
  std::array<double, 2> along(const RowSpan& z, const RowSpan& d, double t, Slopes& at) const;

  // At w = 0 and the best b. With few labels it is the problem of as many rows.
  double null_value() const;
  double null_intercept() const { return best_intercept(RowVec::Zero(n()), 0); }

  // Scores without weights.
  RowVec constant(double b) const { return RowVec::Constant(n(), b); }
  // The dual variables that pull at nothing, and omega_i a_i / W.
  RowVec rest() const { return RowVec::Zero(n()); }
  RowVec weighted(const RowVec& a) const { return omega * a / total_weight; }
  static void scale(RowVec& a, double theta) { a *= theta; }

  // Of a piecewise linear loss: its slopes at the score z, a kink within rounding of z included.
  std::vector<SlopeRange> slope_ranges(double z) const;

  // The b that is best for scores z without it; near `b` where there are several.
  double best_intercept(const RowSpan& z, double b) const;
  // The same for dual steps, whose slopes and curvatures there it leaves: the root of
  // r(b) = sum omega_i slope_i(z_i + b), which increases. Newton's method, kept inside a bracket
  // once there is one, until |r| <= `enough` sum omega_i |slope_i|, or by no more than rounding.
  double slopes_at_best(const RowSpan& z, const RowSpan& a, double q, double b, Slopes& at,
                        double enough = 0) const;

  // Makes sum omega_i a_i vanish without leaving the domain of phi*: 0 lies in it, so the heavier
  // sign is scaled down; where the domain is all of R the weighted mean is subtracted.
  void balance(RowVec& a) const { balance(a.local()); }
  void balance(Vec& a) const;  // of rows that all lie here

  // phi*'(a): scores, less their offsets, whose slopes the duals are; 0 without a weight.
  RowVec scores_of(const RowSpan& a) const;
  // phi'' there; 0 at an end of the domain of phi*, which a dual must not go beyond: at 0, or next to
  // where its size ends.
  RowVec curvatures_of(const RowSpan& a) const;

  double offset_of(Index i) const { return offset == nullptr ? 0.0 : (*offset)[i]; }
  // Scores with their offsets.
  RowVec whole(const RowSpan& z) const;

 private:
  template <class Part>
  auto mean(Part part) const;
  // The losses of whole scores.
  RowLosses without() const;

  // r and its derivative, and the size of what r is the sum of.
  std::array<double, 3> balance_at(const RowSpan& z, const RowSpan& a, double q, double b,
                                   Slopes& at) const;

  // A piecewise linear loss is that in b, too. The minimiser is the first kink at which the slope,
  // that on the far left and what the kinks before add, is no longer negative: a weighted quantile.
  // Where the slope is then zero, but for rounding, all b up to the next kink are minimisers, and
  // the middle is that of the median.
  double kink_intercept(const RowSpan& z) const;
};

}  // namespace dualmargin
