// The rows of a kernel problem as statements on its optimum read them: row i is the function
// k_i = k(x_i, .), a vector w is one of their span. The twin of rows/rows.h, with kernel values for
// the products of entries; where the intercept is free rows are moved to a centre c, a function too:
// row i is k_i - c, at the price of a product with c.
//
// Kernel values are as exact as KernelSize says: a value between a row and a point is off by
// u (e_i + e_j) s_i s_j, so the value of sum_j coef_j k_j at row i, in sums of m additions, by
//
//   u s_i sum_j (e_i + e_j + m) s_j |coef_j| = u s_i [(e_i + m) S + E].
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "algebra/function_space.h"
#include "base/function_ref.h"
#include "base/kept.h"
#include "rows/row_sums.h"

namespace dualmargin::region {

// sum_j coef_j k(p_j, .) of some points, with its values there; without coefficients: zero.
struct Function {
  Vec coef, values;

  bool zero() const { return coef.size() == 0; }
};
double inner(const Function& f, const Function& g);
Function scaled(double s, const Function& f);
Function combined(double s, const Function& f, double t, const Function& g);

// Of what is no square nothing is known.
inline double most_of(const Square& s) { return s.possible() ? s.most() : HUGE_VAL; }

// Labels and weights without entries: what Rows (rows/rows.h) are for sums.
class Samples : public RowSums {
 public:
  const RowVec &y, &weights;
  const double total_weight;

  Samples(const RowVec& y_, const RowVec& weights_, Team& team_);

  // f(begin, end, tick), side by side: for what costs some thousand operations a row.
  void for_ranges(FunctionRef<void(Index, Index, Tick&)> f, Tick& tick) const;
};

// Lengths and errors of rows: with the constant of a penalised intercept in the kernel.
struct FunctionSizes {
  Vec scale, error;

  FunctionSizes() = default;
  FunctionSizes(const KernelSize& size, double constant)
      : scale((size.scale.array().square() + constant).sqrt()), error(size.error) {}
  FunctionSizes some(const std::vector<Index>& at) const;
  FunctionSizes part(Index from, Index count) const;
};

class FunctionRows : public Samples {
 public:
  // Values of functions, a column of coefficients each, at the rows.
  using Products = std::function<Mat(const Mat& coef, Tick& tick)>;

  // Rows that are the points themselves.
  FunctionRows(const Samples& rows_, const Gram& gram, FunctionSizes sizes);
  // Other rows than the points, moved to a centre. additions: that a term of a product passes.
  FunctionRows(const Samples& rows_, Products products, FunctionSizes of_rows,
               FunctionSizes of_points, double additions, Function centre)
      : FunctionRows(rows_, std::move(products), std::move(of_rows), std::move(of_points),
                     additions, nullptr, std::move(centre)) {}
  // The same moved to another centre.
  FunctionRows(const FunctionRows& like, Function centre)
      : FunctionRows(like, like.products_, like.own_, like.points_, like.additions_, like.values_,
                     std::move(centre)) {}
  // The same with other labels and weights.
  FunctionRows(const FunctionRows& like, const RowVec& y_, const RowVec& weights_)
      : FunctionRows({y_, weights_, like.team}, like.products_, like.own_, like.points_,
                     like.additions_, like.values_, like.centre_) {}

  Index dim() const { return points_.scale.size(); }
  const Function& centre() const { return centre_; }
  bool moved() const { return !centre_.zero(); }
  const FunctionSizes& sizes() const { return own_; }

  // Where the points are the rows: the values of all rows with each other, as they are before they
  // are moved.
  const Mat& gram() const { return values_->all(); }
  Function function(Vec coef, Tick& tick) const;
  // The values of some functions at the rows as they are before they are moved, one pass for all.
  std::vector<Vec> values(const std::vector<const Function*>& functions, Tick& tick) const;

  // Of a function with such values: <f, x_i> of the moved rows; |x_i|^2 and |x_i - f|^2 from above,
  // for the centre and for a function as the rows are before they are moved.
  RowVec products(const Function& f, const Vec& values) const;
  RowVec squares(const Vec& values) const;
  RowVec squared_distances(const Function& at, const Vec& values) const;
  // The same to a row of its own, with values k(x_i, x), of such a length and error.
  RowVec squared_distances(const Vec& values, double scale, double error) const;
  // Where the points are the rows.
  RowVec products(const Function& f) const;
  RowVec multiply(const Function& f, Tick&) const { return products(f); }
  RowVec squares() const { return squares(centre_.values); }
  RowVec squares(Tick&) const { return squares(); }
  RowVec squared_distances(const Function& at) const { return squared_distances(at, at.values); }

  // What rounding can have done to <f, x_i> + b, and to what it is compared with.
  RowVec roundings(const Function& f, double b) const;
  RowVec roundings(const Function& f, double b, Tick&) const { return roundings(f, b); }
  // The same of k(x_i, x), x a row of its own of such a length and error.
  RowVec value_roundings(double scale, double error) const;
  // The share of |k_i|^2 that its bound can be above it.
  double square_rounding(Index i) const { return rounding::of(4 * own_.error[i] + 8); }
  // How far a function can be from what it is meant to be if each coefficient has k roundings.
  double coefficient_rounding(const Function& f, double k) const;
  // |f|^2 up to its rounding.
  Square square(const Function& f) const;

 private:
  // Made when they are first asked for.
  class Values {
   public:
    explicit Values(const Gram& gram) : gram_(gram) {}
    const Mat& all();

   private:
    const Gram& gram_;
    Kept<Mat> kept_;
  };

  FunctionRows(const Samples& rows_, Products products, FunctionSizes of_rows,
               FunctionSizes of_points, double additions, std::shared_ptr<Values> values,
               Function centre);

  bool closed() const { return values_ != nullptr; }

  // S and E
  struct Sums {
    double size = 0, error = 0;
  };
  Sums sums(const Function& f) const;
  // a product with the coefficient beside the additions, and the constant of the kernel
  double value_rounding(Index i, const Sums& of) const;
  // Of <f, g> in u: of the values of g at the points, and of their sum with the coefficients of f.
  double crossed(const Sums& f, const Sums& g) const;
  double own_square(Index i) const;

  Products products_;
  FunctionSizes own_, points_;
  double additions_;
  std::shared_ptr<Values> values_;  // where the points are the rows
  Function centre_;
  Sums centre_sums_;
};

// |x_j - x_i|^2 from above.
inline RowVec distances_to(const FunctionRows& rows, Index i, Tick& tick) {
  return rows.squared_distances(rows.function(Vec::Unit(rows.n(), i), tick).values,
                                rows.sizes().scale[i], rows.sizes().error[i]);
}

}  // namespace dualmargin::region
